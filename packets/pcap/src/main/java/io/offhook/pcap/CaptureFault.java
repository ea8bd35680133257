package io.offhook.pcap;

/**
 * Damage in a capture file, or the reason why it cannot be read.
 *
 * @param kind the kind of fault
 * @param file the path of the file, as given; "-" for standard input
 * @param offset bytes from the start of the (decompressed) file to the damage; -1 if there is no such place
 * @param message what was expected and what was found, without file and offset
 */
public record CaptureFault(Kind kind, String file, long offset, String message) {

    /** The kinds of faults. */
    public enum Kind {
        /** The file does not exist, is a directory, or may not be read. */
        UNREADABLE,
        /** It is not a capture file, or of an unknown version or variant. */
        UNKNOWN_FORMAT,
        /** It ends in the middle of a record. */
        CUT_OFF,
        /** A length, type or checksum is impossible. */
        DAMAGED
    }

    /** Returns one line for a person: file, offset, message. */
    public String describe() {
        return offset < 0 ? file + ": " + message : file + ": at byte " + offset + ": " + message;
    }

    /**
     * Returns a {@link Kind#CUT_OFF} fault for something of {@code expected} bytes of which the file holds {@code
     * found}.
     */
    public static CaptureFault cutOff(String file, long offset, String what, long expected, long found) {
        String message = what + " of " + expected + " bytes was expected, the file ends after " + found + " of them";
        return new CaptureFault(Kind.CUT_OFF, file, offset, message);
    }
}
