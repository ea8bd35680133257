package io.offhook.packet.application;

import io.offhook.packet.AsciiText;
import io.offhook.packet.FieldBits;
import io.offhook.packet.FieldRange;
import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;

/**
 * The questions and records of a DNS message (RFC 1035, 4.1.2 and 4.1.3), one after the other: questions first, then
 * answers, authorities and additional records, in the order of the bytes.
 *
 * <pre>
 *            0       2       4               8       10
 * +------ - +-------+-------+---------------+-------+------ -
 * | name    | type  | class |      ttl      | length| data
 * +------ - +-------+-------+---------------+-------+------ -
 *             a question ends here
 * </pre>
 *
 * <p>{@code while (records.next()) switch (records.type()) ...}. A record that is not all there ends the iteration;
 * {@link #isMalformed()} then says so. Names are followed through compression (4.1.4), backwards only, so that none
 * goes on for ever.
 *
 * <p>A borrowed window: reusable, single-threaded, and valid only as long as the wrapped bytes.
 */
public final class DnsRecords {
    /** A type of record (RFC 1035, 3.2.2; of A: 3.4.1). */
    public static final int A = 1;
    /** A type of record (RFC 1035, 3.2.2; of A: 3.4.1). */
    public static final int NS = 2;
    /** A type of record (RFC 1035, 3.2.2; of A: 3.4.1). */
    public static final int CNAME = 5;
    /** A type of record (RFC 1035, 3.2.2; of A: 3.4.1). */
    public static final int SOA = 6;
    /** A type of record (RFC 1035, 3.2.2; of A: 3.4.1). */
    public static final int PTR = 12;
    /** A type of record (RFC 1035, 3.2.2; of A: 3.4.1). */
    public static final int MX = 15;
    /** A type of record (RFC 1035, 3.2.2; of A: 3.4.1). */
    public static final int TXT = 16;
    /** An IPv6 address (RFC 3596, 2.1). */
    public static final int AAAA = 28;
    /** Where a service is (RFC 2782). */
    public static final int SRV = 33;
    /** How a name is rewritten, of ENUM and of SIP (RFC 3403, 4). */
    public static final int NAPTR = 35;

    private static final int MAX_NAME = 255;
    private static final int MAX_JUMPS = 64;

    // behind the name
    private static final int TYPE = 0;
    private static final int CLASS = 2;
    private static final int TTL = 4;
    private static final int DATA_LENGTH = 8;
    private static final int DATA = 10;
    private static final int QUESTION_LENGTH = 4;

    private MemorySegment segment = MemorySegment.NULL;
    private long message;
    private long end;
    private int questionsLeft;
    private int recordsLeft;
    private long name;
    private long fixed;
    private long next;
    private boolean isQuestion;
    private boolean isMalformed;

    /** Creates an iterator; call {@code wrap} before {@code next}. */
    public DnsRecords() {}

    /**
     * Puts the iterator before the first question.
     *
     * @param offset of the message's header
     * @param length bytes of the message that are there, at least its header
     * @param questions how many the header says there are
     * @param records how many of all other kinds
     */
    public void wrap(MemorySegment segment, long offset, int length, int questions, int records) {
        this.segment = segment;
        message = offset;
        end = offset + length;
        questionsLeft = questions;
        recordsLeft = records;
        next = Math.min(offset + DnsView.LENGTH, end);
        name = next;
        fixed = -1;
        isQuestion = false;
        isMalformed = false;
    }

    /** Moves to the next question or record; false if there is none. */
    public boolean next() {
        fixed = -1;
        if (questionsLeft + recordsLeft == 0 || isMalformed) {
            return false;
        }
        isQuestion = questionsLeft > 0;
        if (isQuestion) {
            questionsLeft--;
        } else {
            recordsLeft--;
        }
        name = next;
        long behind = behindName(next);
        int size = isQuestion ? QUESTION_LENGTH : DATA;
        if (behind < 0 || end - behind < size) {
            isMalformed = true;
            return false;
        }
        int data = isQuestion ? 0 : NetworkOrder.u16(segment, behind + DATA_LENGTH);
        if (end - behind - size < data) {
            isMalformed = true;
            return false;
        }
        fixed = behind;
        next = behind + size + data;
        return true;
    }

    /** The place behind a name, which may end on a pointer; -1 if it is not all there. */
    private long behindName(long from) {
        long at = from;
        while (at < end && at - from <= MAX_NAME) {
            int label = NetworkOrder.u8(segment, at);
            if (label == 0) {
                return at + 1;
            }
            if (label >= 0xc0) {
                return end - at < 2 ? -1 : at + 2;
            }
            if (label >= 0x40) {
                return -1;
            }
            at += 1 + label;
        }
        return -1;
    }

    /** Whether the iteration ended on a question or record that is not all there. */
    public boolean isMalformed() {
        return isMalformed;
    }

    /** Whether it is a question, which has neither time to live nor data. */
    public boolean isQuestion() {
        return isQuestion;
    }

    private boolean isThere() {
        return fixed >= 0;
    }

    /** The type of the question or record: {@link #A}, {@link #AAAA}, {@link #SRV}... */
    public int type() {
        return isThere() ? NetworkOrder.u16(segment, fixed + TYPE) : 0;
    }

    /** Sets {@link #type()}; 0 to 65535. */
    public DnsRecords type(int type) {
        FieldRange.require("type", isThere());
        FieldBits.put(segment, fixed, 8 * TYPE, 16, "type", type);
        return this;
    }

    /** 1 is the Internet's. Of multicast DNS the highest bit has a meaning of its own. */
    public int recordClass() {
        return isThere() ? NetworkOrder.u16(segment, fixed + CLASS) : 0;
    }

    /** Sets {@link #recordClass()}; 0 to 65535. */
    public DnsRecords recordClass(int recordClass) {
        FieldRange.require("recordClass", isThere());
        FieldBits.put(segment, fixed, 8 * CLASS, 16, "recordClass", recordClass);
        return this;
    }

    /** The time to live, in seconds; 0 for a question. */
    public long ttl() {
        return isThere() && !isQuestion ? NetworkOrder.u32(segment, fixed + TTL) : 0;
    }

    /**
     * Sets {@link #ttl()}.
     *
     * @throws IllegalStateException of a question, which has none
     */
    public DnsRecords ttl(long ttl) {
        FieldRange.require("ttl", isThere() && !isQuestion);
        FieldBits.put(segment, fixed, 8 * TTL, 32, "ttl", ttl);
        return this;
    }

    /** Where the data of a record starts. */
    public long dataOffset() {
        return fixed + DATA;
    }

    /** The length of the data, in bytes; 0 for a question. */
    public int dataLength() {
        return isThere() && !isQuestion ? NetworkOrder.u16(segment, fixed + DATA_LENGTH) : 0;
    }

    /** The name that the question or record is about, without the last dot; as far as it is there. It allocates. */
    public String name() {
        return name(name);
    }

    /** A name that starts at a place of the message, as data of NS, CNAME or PTR does. It allocates. */
    public String name(long offset) {
        StringBuilder text = new StringBuilder();
        long at = offset;
        for (int jumps = 0; at >= message && at < end && jumps < MAX_JUMPS && text.length() <= MAX_NAME; ) {
            int label = NetworkOrder.u8(segment, at);
            if (label >= 0xc0 && end - at >= 2) {
                long target = message + (NetworkOrder.u16(segment, at) & 0x3fff);
                if (target >= at) { // backwards only
                    break;
                }
                at = target;
                jumps++;
            } else if (label == 0 || label >= 0x40 || label > end - at - 1) {
                break;
            } else {
                text.append(text.isEmpty() ? "" : ".").append(AsciiText.text(segment, at + 1, label));
                at += 1 + label;
            }
        }
        return text.isEmpty() ? "." : text.toString();
    }

    @Override
    public String toString() {
        return (isQuestion ? "dns question " : "dns record ") + type();
    }

    /** What tables call a type (IANA, DNS parameters). */
    static String typeName(int type) {
        return switch (type) {
            case A -> "A";
            case NS -> "NS";
            case CNAME -> "CNAME";
            case SOA -> "SOA";
            case PTR -> "PTR";
            case MX -> "MX";
            case TXT -> "TXT";
            case AAAA -> "AAAA";
            case SRV -> "SRV";
            case NAPTR -> "NAPTR";
            case 43 -> "DS";
            case 48 -> "DNSKEY";
            case 64 -> "SVCB";
            case 65 -> "HTTPS";
            case 255 -> "ANY";
            default -> "type " + type;
        };
    }
}
