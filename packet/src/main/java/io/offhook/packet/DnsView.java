package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * A DNS message (RFC 1035, 4.1), of multicast DNS (RFC 6762, 18) too. Over TCP two bytes of length stand before it. Questions and
 * records are read by {@link DnsRecords}.
 *
 * <pre>
 *  0               8               16              24              32
 * +-------------------------------+-+-------+-+-+-+-+-+-+-+-------+
 * |               id              |R| opcode|A|T|R|R| |A|C|respon.|
 * +-------------------------------+-+-------+-+-+-+-+-+-+-+-------+
 * |         question count        |          answer count         |
 * +-------------------------------+-------------------------------+
 * |        authority count        |        additional count       |
 * +-------------------------------+-------------------------------+
 * | questions, answers, authorities, additional records ...
 * </pre>
 *
 * <p>A borrowed window, reused and single-threaded; it is valid as long as the bytes it was put on. Setters change the
 * bytes in place; on a read-only segment they fail as the segment does. After one of a type, a flag or a length, wrap again.
 */
public final class DnsView {
    /** Bytes of the header. */
    public static final int LENGTH = 12;

    private static final int ID = 0;
    private static final int RESPONSE = 2;
    private static final int RECURSION_AVAILABLE = 3;
    private static final int QUESTION_COUNT = 4;
    private static final int ANSWER_COUNT = 6;
    private static final int AUTHORITY_COUNT = 8;
    private static final int ADDITIONAL_COUNT = 10;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;

    /** A view on nothing yet: {@link #wrap} first. */
    public DnsView() {}

    /**
     * Puts the view on a message: TRUNCATED below 12 bytes.
     *
     * @param length bytes that are there from {@code offset} on
     */
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        this.segment = segment;
        this.offset = offset;
        this.length = length;
        return WrapStatus.OK;
    }

    /** What question and answer have in common. */
    public int id() {
        return NetworkOrder.u16(segment, offset + ID);
    }

    /** Sets {@link #id()}; 0 to 65535. */
    public DnsView id(int id) {
        FieldBits.put(segment, offset, 0, 16, "id", id);
        return this;
    }

    /** Whether it is an answer. */
    public boolean isResponse() {
        return (NetworkOrder.u8(segment, offset + RESPONSE) & 0x80) != 0;
    }

    /** Sets {@link #isResponse()}. */
    public DnsView response(boolean response) {
        FieldBits.put(segment, offset, 16, response);
        return this;
    }

    /** 0 query, 4 notify, 5 update. */
    public int opcode() {
        return NetworkOrder.u8(segment, offset + RESPONSE) >>> 3 & 0xf;
    }

    /** Sets {@link #opcode()}; 0 to 15. */
    public DnsView opcode(int opcode) {
        FieldBits.put(segment, offset, 17, 4, "opcode", opcode);
        return this;
    }

    /** Whether the server is an authority for the name. */
    public boolean isAuthoritative() {
        return (NetworkOrder.u8(segment, offset + RESPONSE) & 0x4) != 0;
    }

    /** Sets {@link #isAuthoritative()}. */
    public DnsView authoritative(boolean authoritative) {
        FieldBits.put(segment, offset, 21, authoritative);
        return this;
    }

    /** Whether the answer did not fit: the question is to be asked again over TCP. */
    public boolean isTruncated() {
        return (NetworkOrder.u8(segment, offset + RESPONSE) & 0x2) != 0;
    }

    /** Sets {@link #isTruncated()}. */
    public DnsView truncated(boolean truncated) {
        FieldBits.put(segment, offset, 22, truncated);
        return this;
    }

    /** Whether the server is to ask others. */
    public boolean isRecursionDesired() {
        return (NetworkOrder.u8(segment, offset + RESPONSE) & 0x1) != 0;
    }

    /** Sets {@link #isRecursionDesired()}. */
    public DnsView recursionDesired(boolean recursionDesired) {
        FieldBits.put(segment, offset, 23, recursionDesired);
        return this;
    }

    /** Whether the server asks others. */
    public boolean isRecursionAvailable() {
        return (NetworkOrder.u8(segment, offset + RECURSION_AVAILABLE) & 0x80) != 0;
    }

    /** Sets {@link #isRecursionAvailable()}. */
    public DnsView recursionAvailable(boolean recursionAvailable) {
        FieldBits.put(segment, offset, 24, recursionAvailable);
        return this;
    }

    /** Whether the server verified the answer (RFC 4035, 3.2.3). */
    public boolean isAuthenticData() {
        return (NetworkOrder.u8(segment, offset + RECURSION_AVAILABLE) & 0x20) != 0;
    }

    /** Sets {@link #isAuthenticData()}. */
    public DnsView authenticData(boolean authenticData) {
        FieldBits.put(segment, offset, 26, authenticData);
        return this;
    }

    /** Whether who asks verifies for itself (RFC 4035, 3.2.2). */
    public boolean isCheckingDisabled() {
        return (NetworkOrder.u8(segment, offset + RECURSION_AVAILABLE) & 0x10) != 0;
    }

    /** Sets {@link #isCheckingDisabled()}. */
    public DnsView checkingDisabled(boolean checkingDisabled) {
        FieldBits.put(segment, offset, 27, checkingDisabled);
        return this;
    }

    /** 0 no error, 1 format error, 2 server failure, 3 no such name, 5 refused. */
    public int responseCode() {
        return NetworkOrder.u8(segment, offset + RECURSION_AVAILABLE) & 0xf;
    }

    /** Sets {@link #responseCode()}; 0 to 15. */
    public DnsView responseCode(int responseCode) {
        FieldBits.put(segment, offset, 28, 4, "responseCode", responseCode);
        return this;
    }

    /** Questions, as the header says. */
    public int questionCount() {
        return NetworkOrder.u16(segment, offset + QUESTION_COUNT);
    }

    /** Sets {@link #questionCount()}; 0 to 65535. */
    public DnsView questionCount(int questionCount) {
        FieldBits.put(segment, offset, 32, 16, "questionCount", questionCount);
        return this;
    }

    /** Answers, as the header says. */
    public int answerCount() {
        return NetworkOrder.u16(segment, offset + ANSWER_COUNT);
    }

    /** Sets {@link #answerCount()}; 0 to 65535. */
    public DnsView answerCount(int answerCount) {
        FieldBits.put(segment, offset, 48, 16, "answerCount", answerCount);
        return this;
    }

    /** Records of authorities, as the header says. */
    public int authorityCount() {
        return NetworkOrder.u16(segment, offset + AUTHORITY_COUNT);
    }

    /** Sets {@link #authorityCount()}; 0 to 65535. */
    public DnsView authorityCount(int authorityCount) {
        FieldBits.put(segment, offset, 64, 16, "authorityCount", authorityCount);
        return this;
    }

    /** Additional records, as the header says. */
    public int additionalCount() {
        return NetworkOrder.u16(segment, offset + ADDITIONAL_COUNT);
    }

    /** Sets {@link #additionalCount()}; 0 to 65535. */
    public DnsView additionalCount(int additionalCount) {
        FieldBits.put(segment, offset, 80, 16, "additionalCount", additionalCount);
        return this;
    }

    /** Puts the iterator before the first question. */
    public void records(DnsRecords records) {
        records.wrap(segment, offset, length, questionCount(), answerCount() + authorityCount() + additionalCount());
    }

    @Override
    public String toString() {
        return "dns " + (isResponse() ? "response " : "query ") + id();
    }
}
