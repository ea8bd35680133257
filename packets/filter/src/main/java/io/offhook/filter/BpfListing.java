package io.offhook.filter;

import static io.offhook.filter.BpfOpcode.ALU;
import static io.offhook.filter.BpfOpcode.JMP;
import static io.offhook.filter.BpfOpcode.MISC;
import static io.offhook.filter.BpfOpcode.RET;

import java.util.Locale;

/**
 * Prints a classic BPF program character for character as {@code tcpdump -d}, {@code -dd} and {@code -ddd} do
 * (libpcap's bpf_image and bpf_dump), and parses the format of {@code -ddd}. Each line ends with a line feed.
 */
public final class BpfListing {
    private static final String[] ARITHMETIC = {
        "add", "sub", "mul", "div", "or", "and", "lsh", "rsh", "neg", "mod", "xor"
    };
    private static final String[] JUMPS = {"ja", "jeq", "jgt", "jge", "jset"};

    /** SKF_AD_OFF: a load from this offset on reads a field of the Linux kernel, not the packet. */
    private static final int ASKS_KERNEL = -0x1000;

    /** The kernel fields (ancillary loads) of {@code linux/filter.h}, four bytes apart. */
    private static final String[] KERNEL_FIELDS = {
        "proto",
        "type",
        "ifidx",
        "nla",
        "nlan",
        "mark",
        "queue",
        "hatype",
        "rxhash",
        "cpu",
        "xor_x",
        "vlan_tci",
        "vlanp",
        "poff",
        "random",
        "vlan_tpid"
    };

    private BpfListing() {}

    /** One instruction per line, as assembly: {@code (000) ldh      [12]}. */
    public static String assembly(BpfProgram program) {
        StringBuilder out = new StringBuilder(program.length() * 32);
        for (int i = 0; i < program.length(); i++) {
            int code = program.code(i);
            String start = String.format(Locale.ROOT, "(%03d) %-8s ", i, operation(code));
            out.append(start);
            String operand = operand(program, i);
            if (BpfOpcode.isConditional(code)) {
                out.append(operand).repeat(' ', Math.max(0, 16 - operand.length()));
                out.append(" jt ").append(i + 1 + program.jt(i));
                out.append("\tjf ").append(i + 1 + program.jf(i));
            } else {
                out.append(operand);
            }
            out.append('\n');
        }
        return out.toString();
    }

    /** One instruction per line, as initialisers for C source: {@code { 0x28, 0, 0, 0x0000000c },}. */
    public static String initializers(BpfProgram program) {
        StringBuilder out = new StringBuilder(program.length() * 32);
        for (int i = 0; i < program.length(); i++) {
            out.append(String.format(
                    Locale.ROOT,
                    "{ 0x%x, %d, %d, 0x%08x },\n",
                    program.code(i),
                    program.jt(i),
                    program.jf(i),
                    program.k(i)));
        }
        return out.toString();
    }

    /** A line with the number of instructions, then one line per instruction in decimal: {@code 40 0 0 12}. */
    public static String decimal(BpfProgram program) {
        StringBuilder out = new StringBuilder(program.length() * 16);
        out.append(program.length()).append('\n');
        for (int i = 0; i < program.length(); i++) {
            out.append(program.code(i)).append(' ').append(program.jt(i));
            out.append(' ').append(program.jf(i));
            out.append(' ').append(Integer.toUnsignedString(program.k(i))).append('\n');
        }
        return out.toString();
    }

    /**
     * Parses the output of {@link #decimal}. Any white space may separate the numbers.
     *
     * @throws IllegalArgumentException if the text is not a valid program; the message says why
     */
    public static BpfProgram parse(String decimal) {
        String[] words = decimal.strip().split("\\s+", -1);
        long length = number(words[0]);
        if (length * 4 + 1 != words.length) {
            throw new IllegalArgumentException(
                    "a program of " + length + " instructions has four numbers each; found " + (words.length - 1));
        }
        int[][] columns = new int[4][(int) length];
        for (int i = 1; i < words.length; i++) {
            columns[(i - 1) % 4][(i - 1) / 4] = (int) number(words[i]);
        }
        return BpfProgram.of(columns[0], columns[1], columns[2], columns[3]);
    }

    private static long number(String word) {
        try {
            return Integer.toUnsignedLong(Integer.parseUnsignedInt(word));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("\"" + word + "\" is not a number from 0 to 4294967295", e);
        }
    }

    private static String operation(int code) {
        return switch (BpfOpcode.classOf(code)) {
            case BpfOpcode.LD ->
                BpfOpcode.sizeOf(code) == BpfOpcode.H ? "ldh" : BpfOpcode.sizeOf(code) == BpfOpcode.B ? "ldb" : "ld";
            case BpfOpcode.LDX -> code == BpfOpcode.LDX_MSH ? "ldxb" : "ldx";
            case BpfOpcode.ST -> "st";
            case BpfOpcode.STX -> "stx";
            case ALU -> ARITHMETIC[BpfOpcode.operationOf(code) >> 4];
            case JMP -> JUMPS[BpfOpcode.operationOf(code) >> 4];
            case RET -> "ret";
            default -> code == (MISC | BpfOpcode.TAX) ? "tax" : "txa";
        };
    }

    private static String operand(BpfProgram program, int i) {
        int code = program.code(i);
        int k = program.k(i);
        return switch (BpfOpcode.classOf(code)) {
            case BpfOpcode.LD, BpfOpcode.LDX -> source(code, k);
            case BpfOpcode.ST, BpfOpcode.STX -> "M[" + k + "]";
            case ALU -> arithmeticOperand(code, k);
            case JMP -> {
                if (!BpfOpcode.isConditional(code)) {
                    yield String.valueOf(i + 1 + k);
                }
                yield BpfOpcode.isOperandX(code) ? "x" : hex(k);
            }
            case RET -> code == (RET | BpfOpcode.A) ? "" : "#" + k;
            default -> "";
        };
    }

    private static String source(int code, int k) {
        return switch (BpfOpcode.modeOf(code)) {
            case BpfOpcode.ABS -> "[" + place(k) + "]";
            case BpfOpcode.IND -> "[x + " + k + "]";
            case BpfOpcode.IMM -> hex(k);
            case BpfOpcode.LEN -> "#pktlen";
            case BpfOpcode.MEM -> "M[" + k + "]";
            default -> "4*([" + k + "]&0xf)";
        };
    }

    private static String place(int k) {
        int field = k - ASKS_KERNEL;
        boolean isKnown = field >= 0 && field % 4 == 0 && field / 4 < KERNEL_FIELDS.length;
        return isKnown ? KERNEL_FIELDS[field / 4] : String.valueOf(k);
    }

    /** Whether the instruction loads from the range of kernel fields, but not one of the fields there. */
    static boolean asksKernelUnknown(int code, int k) {
        boolean isAbsolute = BpfOpcode.isAbsoluteLoad(code) && code != BpfOpcode.LDX_MSH;
        return isAbsolute && k >= ASKS_KERNEL && k < 0 && place(k).equals(String.valueOf(k));
    }

    private static String arithmeticOperand(int code, int k) {
        if (code == (ALU | BpfOpcode.NEG)) {
            return "";
        }
        if (BpfOpcode.isOperandX(code)) {
            return "x";
        }
        return switch (BpfOpcode.operationOf(code)) {
            case BpfOpcode.AND, BpfOpcode.OR, BpfOpcode.XOR -> hex(k);
            default -> "#" + k;
        };
    }

    private static String hex(int k) {
        return "#0x" + Integer.toHexString(k);
    }
}
