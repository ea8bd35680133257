package io.offhook.sip.transaction;

/**
 * The limits of one layer.
 *
 * @param servers the most server transactions, 1 or more; the last eighth is kept for CANCEL and requests in dialogs
 * @param clients the most client transactions, 1 to 16,777,216
 * @param bytes the most memory of kept messages; the last eighth as with servers
 */
public record TransactionLimits(int servers, int clients, long bytes) {
    /** Enough for 10,000 calls a second. */
    public static final TransactionLimits DEFAULT = new TransactionLimits(1 << 20, 1 << 20, 1L << 30);

    /** Checks the limits. */
    public TransactionLimits {
        if (servers < 1 || clients < 1 || clients > Branch.SLOTS || bytes < 1) {
            throw new IllegalArgumentException("limits of " + servers + " servers, " + clients + " clients and " + bytes
                    + " bytes: 1 or more, and at most " + Branch.SLOTS + " clients");
        }
    }
}
