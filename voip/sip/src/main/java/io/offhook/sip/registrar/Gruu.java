package io.offhook.sip.registrar;

/**
 * A globally routable URI of one phone of a user (RFC 5627), taken apart.
 *
 * @param addressOfRecord the user
 * @param instance the phone, in angle brackets
 * @param callIdHash a hash of the Call-ID of the registration that a temporary GRUU ends with; 0 for a public one
 */
public record Gruu(AddressOfRecord addressOfRecord, String instance, long callIdHash) {
    /** Whether a binding of the address of record is one of this phone, and a temporary GRUU is still valid with it. */
    public boolean leadsTo(Binding binding) {
        return RegistrarRules.isSameInstance(instance, binding.instance())
                && (callIdHash == 0 || callIdHash == Gruus.hash(binding.callId()));
    }
}
