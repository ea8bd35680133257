package io.offhook.pcap;

/**
 * Damage in a capture file, or a reason it cannot be read.
 *
 * @param kind what sort of fault
 * @param file the path of the file, as given; "-" for standard input
 * @param offset bytes from the start of the (decompressed) file to the damage; -1 where there is no such place
 * @param message what was expected and what was found, without file and offset
 */
public record CaptureFault(Kind kind, String file, long offset, String message) {

    /** What sort of fault it is. */
    public enum Kind {
        /** Not there, a directory, or no permission. */
        UNREADABLE,
        /** Not a capture file, or of a version or form that is not known. */
        UNKNOWN_FORMAT,
        /** Ends in the middle of a record. */
        CUT_OFF,
        /** A length, type or checksum that cannot be. */
        DAMAGED
    }

    /** One line for a person: file, offset, message. */
    public String describe() {
        return offset < 0 ? file + ": " + message : file + ": at byte " + offset + ": " + message;
    }

    /** Returns a {@link Kind#CUT_OFF} fault for something of {@code expected} bytes of which the file holds {@code found}. */
    public static CaptureFault cutOff(String file, long offset, String what, long expected, long found) {
        String message = what + " of " + expected + " bytes was expected, the file ends after " + found + " of them";
        return new CaptureFault(Kind.CUT_OFF, file, offset, message);
    }
}
