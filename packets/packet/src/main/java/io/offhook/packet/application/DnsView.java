package io.offhook.packet.application;

import io.offhook.packet.Claims;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.SafeText;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A DNS message (RFC 1035, 4.1), of multicast DNS (RFC 6762, 18) too. Over TCP two bytes of length stand before it.
 * Questions and records are read by {@link DnsRecords}.
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
 */
public final class DnsView extends HeaderView<DnsView> {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 12;

    private static final int ID = 0;
    private static final int RESPONSE = 2;
    private static final int RECURSION_AVAILABLE = 3;
    private static final int QUESTION_COUNT = 4;
    private static final int ANSWER_COUNT = 6;
    private static final int AUTHORITY_COUNT = 8;
    private static final int ADDITIONAL_COUNT = 10;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public DnsView() {}

    /**
     * Wraps a message: TRUNCATED below 12 bytes.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        return wrap(segment, offset, length, LENGTH);
    }

    /** The identifier that query and response share. */
    public int id() {
        return u16(ID);
    }

    /** Sets {@link #id()}; 0 to 65535. */
    public DnsView id(int id) {
        return putU16(ID, "id", id);
    }

    /** Whether it is an answer. */
    public boolean isResponse() {
        return (u8(RESPONSE) & 0x80) != 0;
    }

    /** Sets {@link #isResponse()}. */
    public DnsView response(boolean response) {
        return putFlag(RESPONSE, 0, response);
    }

    /** 0 query, 4 notify, 5 update. */
    public int opcode() {
        return u8(RESPONSE) >>> 3 & 0xf;
    }

    /** Sets {@link #opcode()}; 0 to 15. */
    public DnsView opcode(int opcode) {
        return putBits(RESPONSE, 1, 4, "opcode", opcode);
    }

    /** Whether the server is an authority for the name. */
    public boolean isAuthoritative() {
        return (u8(RESPONSE) & 0x4) != 0;
    }

    /** Sets {@link #isAuthoritative()}. */
    public DnsView authoritative(boolean authoritative) {
        return putFlag(RESPONSE, 5, authoritative);
    }

    /** Whether the answer did not fit: the question is to be asked again over TCP. */
    public boolean isTruncated() {
        return (u8(RESPONSE) & 0x2) != 0;
    }

    /** Sets {@link #isTruncated()}. */
    public DnsView truncated(boolean truncated) {
        return putFlag(RESPONSE, 6, truncated);
    }

    /** Whether the server is to ask others. */
    public boolean isRecursionDesired() {
        return (u8(RESPONSE) & 0x1) != 0;
    }

    /** Sets {@link #isRecursionDesired()}. */
    public DnsView recursionDesired(boolean recursionDesired) {
        return putFlag(RESPONSE, 7, recursionDesired);
    }

    /** Whether the server asks others. */
    public boolean isRecursionAvailable() {
        return (u8(RECURSION_AVAILABLE) & 0x80) != 0;
    }

    /** Sets {@link #isRecursionAvailable()}. */
    public DnsView recursionAvailable(boolean recursionAvailable) {
        return putFlag(RECURSION_AVAILABLE, 0, recursionAvailable);
    }

    /** Whether the server verified the answer (RFC 4035, 3.2.3). */
    public boolean isAuthenticData() {
        return (u8(RECURSION_AVAILABLE) & 0x20) != 0;
    }

    /** Sets {@link #isAuthenticData()}. */
    public DnsView authenticData(boolean authenticData) {
        return putFlag(RECURSION_AVAILABLE, 2, authenticData);
    }

    /** Whether who asks verifies for itself (RFC 4035, 3.2.2). */
    public boolean isCheckingDisabled() {
        return (u8(RECURSION_AVAILABLE) & 0x10) != 0;
    }

    /** Sets {@link #isCheckingDisabled()}. */
    public DnsView checkingDisabled(boolean checkingDisabled) {
        return putFlag(RECURSION_AVAILABLE, 3, checkingDisabled);
    }

    /** 0 no error, 1 format error, 2 server failure, 3 no such name, 5 refused. */
    public int responseCode() {
        return u8(RECURSION_AVAILABLE) & 0xf;
    }

    /** Sets {@link #responseCode()}; 0 to 15. */
    public DnsView responseCode(int responseCode) {
        return putBits(RECURSION_AVAILABLE, 4, 4, "responseCode", responseCode);
    }

    /** Questions, as the header says. */
    public int questionCount() {
        return u16(QUESTION_COUNT);
    }

    /** Sets {@link #questionCount()}; 0 to 65535. */
    public DnsView questionCount(int questionCount) {
        return putU16(QUESTION_COUNT, "questionCount", questionCount);
    }

    /** Answers, as the header says. */
    public int answerCount() {
        return u16(ANSWER_COUNT);
    }

    /** Sets {@link #answerCount()}; 0 to 65535. */
    public DnsView answerCount(int answerCount) {
        return putU16(ANSWER_COUNT, "answerCount", answerCount);
    }

    /** Records of authorities, as the header says. */
    public int authorityCount() {
        return u16(AUTHORITY_COUNT);
    }

    /** Sets {@link #authorityCount()}; 0 to 65535. */
    public DnsView authorityCount(int authorityCount) {
        return putU16(AUTHORITY_COUNT, "authorityCount", authorityCount);
    }

    /** Additional records, as the header says. */
    public int additionalCount() {
        return u16(ADDITIONAL_COUNT);
    }

    /** Sets {@link #additionalCount()}; 0 to 65535. */
    public DnsView additionalCount(int additionalCount) {
        return putU16(ADDITIONAL_COUNT, "additionalCount", additionalCount);
    }

    /** Puts the iterator before the first question. */
    public void records(DnsRecords records) {
        records.wrap(segment, offset, length, questionCount(), answerCount() + authorityCount() + additionalCount());
    }

    @Override
    public String toString() {
        return "dns " + (isResponse() ? "response " : "query ") + id();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<DnsView> {
        private static final int MAX_NAME = 255;
        private static final int MAX_QUESTIONS = 64;

        private final DnsRecords records = new DnsRecords();

        /** Of DNS and what has its form: multicast DNS, and link-local name resolution. */
        public Descriptor(String label, Claims claims) {
            super(
                    label,
                    new DnsView(),
                    HeaderLayout.of(LENGTH)
                            .number("id", ID, 16)
                            .flag("response", RESPONSE, 0)
                            .bits("opcode", RESPONSE, 1, 4)
                            .flag("authoritative", RESPONSE, 5)
                            .flag("truncated", RESPONSE, 6)
                            .flag("recursionDesired", RESPONSE, 7)
                            .flag("recursionAvailable", RECURSION_AVAILABLE, 0)
                            .flag("authenticData", RECURSION_AVAILABLE, 2)
                            .flag("checkingDisabled", RECURSION_AVAILABLE, 3)
                            .bits("responseCode", RECURSION_AVAILABLE, 4, 4)
                            .number("questionCount", QUESTION_COUNT, 16)
                            .number("answerCount", ANSWER_COUNT, 16)
                            .number("authorityCount", AUTHORITY_COUNT, 16)
                            .number("additionalCount", ADDITIONAL_COUNT, 16),
                    claims);
        }

        /** Whether the counts are those of a message with a question, or of an answer of multicast DNS without. */
        @Override
        public boolean accepts(Layer layer) {
            if (layer.length() < LENGTH) {
                return false;
            }
            int questions = layer.u16(QUESTION_COUNT);
            int answers = layer.u16(ANSWER_COUNT);
            boolean isReserved = (layer.u8(RECURSION_AVAILABLE) & 0x40) != 0;
            return !isReserved && questions + answers > 0 && questions <= MAX_QUESTIONS;
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            view.records(records);
            for (int i = 0; i < MAX_LISTED && records.next(); i++) {
                to.text(records.isQuestion() ? "question" : "record", records.name());
                to.number(records.isQuestion() ? "questionType" : "recordType", records.type());
                if (!records.isQuestion()) {
                    to.number("ttl", records.ttl());
                    data(layer.segment(), to);
                }
            }
        }

        private void data(MemorySegment segment, FieldVisitor to) {
            long data = records.dataOffset();
            int size = records.dataLength();
            int type = records.type();
            if (type == DnsRecords.A && size == 4) {
                to.ipv4("address", NetworkOrder.u32(segment, data));
            } else if (type == DnsRecords.AAAA && size == 16) {
                to.ipv6("address", NetworkOrder.bits64(segment, data), NetworkOrder.bits64(segment, data + 8));
            } else if ((type == DnsRecords.NS || type == DnsRecords.CNAME || type == DnsRecords.PTR) && size > 0) {
                to.text("target", records.name(data));
            } else {
                to.bytes("recordData", segment, data, size);
            }
        }

        /** What was asked, and how it was answered. */
        @Override
        public boolean summarize(Layer layer, SafeText to) {
            boolean isResponse = (layer.u8(RESPONSE) & 0x80) != 0;
            to.text(isResponse ? "response " : "query ").hex(layer.u16(ID), 4);
            int opcode = layer.u8(RESPONSE) >>> 3 & 15;
            if (opcode != 0) {
                to.text(" opcode ").number(opcode);
            }
            if (layer.u16(QUESTION_COUNT) > 0) {
                question(layer, to.text(" "));
            }
            if (isResponse) {
                int answers = layer.u16(ANSWER_COUNT);
                int code = layer.u8(RECURSION_AVAILABLE) & 15;
                if (code == 0) {
                    to.text(" ").number(answers).text(answers == 1 ? " answer" : " answers");
                } else {
                    to.text(" ").text(codeName(code));
                }
            }
            return true;
        }

        /** The name of the first question as far as it is there, and its type. A compressed name is not followed. */
        private static void question(Layer layer, SafeText to) {
            int at = LENGTH;
            while (at < layer.length() && at - LENGTH <= MAX_NAME) {
                int label = layer.u8(at);
                if (label == 0) {
                    to.text(at == LENGTH ? "." : "");
                    if (at + 3 <= layer.length()) {
                        to.text(" ").text(DnsRecords.typeName(layer.u16(at + 1)));
                    }
                    return;
                }
                if (label >= 64 || at + 1 + label > layer.length()) {
                    break;
                }
                to.text(at == LENGTH ? "" : ".").captured(layer.segment(), layer.offset() + at + 1, label);
                at += 1 + label;
            }
            to.text("...");
        }

        private static String codeName(int code) {
            return switch (code) {
                case 1 -> "FORMERR";
                case 2 -> "SERVFAIL";
                case 3 -> "NXDOMAIN";
                case 4 -> "NOTIMP";
                case 5 -> "REFUSED";
                default -> "code " + code;
            };
        }
    }
}
