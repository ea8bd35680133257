package io.offhook.sip.registrar;

/** What became of a REGISTER; each is counted by itself. */
public enum RegisterFinding {
    /** Nothing was to be changed: the bindings were asked for. */
    QUERIED(200, "OK"),
    /** Contacts were added, refreshed or removed. */
    UPDATED(200, "OK"),
    /** All bindings were removed by {@code *}. */
    CLEARED(200, "OK"),
    /** A header that is needed is absent or malformed, or contacts contradict each other. */
    MALFORMED(400, "Bad Request"),
    /** {@code *} together with other contacts, or without Expires 0 (RFC 3261, 10.3 step 6). */
    WRONG_STAR(400, "Bad Request"),
    /** A binding would be added above the limit of an address of record. */
    TOO_MANY(403, "Too Many Contacts"),
    /** An extension is required that is not known. */
    UNSUPPORTED(420, "Bad Extension"),
    /** Less time was asked for than the least (RFC 3261, 10.3 step 7). */
    TOO_BRIEF(423, "Interval Too Brief"),
    /** Outbound was asked for through a proxy that does not take part (RFC 5626, 6). */
    NO_OUTBOUND(439, "First Hop Lacks Outbound Support"),
    /** The Call-ID is that of a binding, and the CSeq number is not higher (RFC 3261, 10.3 step 7). */
    OUT_OF_ORDER(500, "CSeq Out Of Order");

    private final int status;
    private final String reason;

    RegisterFinding(int status, String reason) {
        this.status = status;
        this.reason = reason;
    }

    /** The status of the answer. */
    public int status() {
        return status;
    }

    /** The reason phrase of the answer. */
    public String reason() {
        return reason;
    }

    /** Whether the answer is 200. */
    public boolean isAccepted() {
        return status == 200;
    }
}
