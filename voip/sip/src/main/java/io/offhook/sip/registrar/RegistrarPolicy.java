package io.offhook.sip.registrar;

import java.util.List;

/**
 * What a registrar grants.
 *
 * @param minExpiresS less is refused with 423, in seconds, 1 to 3600 (RFC 3261, 10.3 step 7)
 * @param maxExpiresS more is granted as this, in seconds, at least the least
 * @param defaultExpiresS granted where nothing is asked for, in seconds, between both
 * @param maxBindings the most bindings of an address of record, 1 to 1000
 * @param flowTimerS how often phones with outbound send keep-alives, in seconds (RFC 5626, 4.4); 0 leaves it to them
 * @param serviceRoute the values of Service-Route (RFC 3608), topmost first
 */
public record RegistrarPolicy(
        int minExpiresS,
        int maxExpiresS,
        int defaultExpiresS,
        int maxBindings,
        int flowTimerS,
        List<String> serviceRoute) {
    /** A minute to an hour, ten bindings, keep-alives after two minutes at the latest, no service route. */
    public static final RegistrarPolicy DEFAULT = new RegistrarPolicy(60, 3600, 3600, 10, 120, List.of());

    /** Checks the ranges. */
    public RegistrarPolicy {
        serviceRoute = List.copyOf(serviceRoute);
        if (minExpiresS < 1 || minExpiresS > 3600) {
            throw new IllegalArgumentException("a least expiry of " + minExpiresS + " s is not in 1 to 3600");
        }
        if (defaultExpiresS < minExpiresS || maxExpiresS < defaultExpiresS) {
            throw new IllegalArgumentException("the least, default and greatest expiry " + minExpiresS + ", "
                    + defaultExpiresS + " and " + maxExpiresS + " s are not in this order");
        }
        if (maxBindings < 1 || maxBindings > 1000 || flowTimerS < 0) {
            throw new IllegalArgumentException("a limit of " + maxBindings + " bindings and a flow timer of "
                    + flowTimerS + " s must be 1 to 1000 and not negative");
        }
    }
}
