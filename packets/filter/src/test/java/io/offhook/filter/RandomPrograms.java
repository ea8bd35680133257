package io.offhook.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Valid programs without sense, and packets of any bytes: the same ones for the same seed. */
final class RandomPrograms {
    private static final int[] CODES = codes();

    private static final int[] CONSTANTS = {
        0,
        1,
        2,
        3,
        6,
        14,
        17,
        31,
        0x1f,
        0x3f,
        0xff,
        0x800,
        0xffff,
        0x10000,
        0x1000_0000,
        0x7fff_ffff,
        0x8000_0000,
        -1,
        -2
    };

    private final SplittableRandom random;

    RandomPrograms(long seed) {
        random = new SplittableRandom(seed);
    }

    private static int[] codes() {
        List<Integer> codes = new ArrayList<>();
        for (int code = 0; code < 256; code++) {
            if (BpfOpcode.isKnown(code) && BpfOpcode.classOf(code) != BpfOpcode.RET) {
                codes.add(code);
                if (BpfOpcode.isPacketLoad(code) || BpfOpcode.isConditional(code)) {
                    codes.add(code); // what programs are mostly made of
                    codes.add(code);
                }
            }
        }
        return codes.stream().mapToInt(Integer::intValue).toArray();
    }

    /** @param maxLength at least 1 */
    BpfProgram program(int maxLength, boolean withLoops) {
        int length = random.nextInt(1, maxLength + 1);
        int[][] columns = new int[4][length];
        for (int i = 0; i < length; i++) {
            int left = length - 2 - i; // instructions after the next one
            boolean ends = i == length - 1 || random.nextInt(12) == 0;
            int code = ends ? ret() : CODES[random.nextInt(CODES.length)];
            if (BpfOpcode.classOf(code) == BpfOpcode.JMP && left < 0) {
                code = ret();
            }
            columns[0][i] = code;
            if (BpfOpcode.isConditional(code)) {
                columns[1][i] = random.nextInt(Math.min(left, 255) + 1);
                columns[2][i] = random.nextInt(Math.min(left, 255) + 1);
            }
            columns[3][i] = constant(code, left, i, withLoops);
        }
        return BpfProgram.of(columns[0], columns[1], columns[2], columns[3]);
    }

    private int ret() {
        return BpfOpcode.RET | (random.nextInt(4) == 0 ? BpfOpcode.A : BpfOpcode.K);
    }

    private int constant(int code, int left, int i, boolean withLoops) {
        if (code == (BpfOpcode.JMP | BpfOpcode.JA)) {
            return withLoops && random.nextBoolean() ? -random.nextInt(1, i + 2) : random.nextInt(left + 1);
        }
        if (BpfOpcode.isMemoryAccess(code)) {
            return random.nextInt(BpfOpcode.MEMORY_WORDS);
        }
        if (BpfOpcode.isPacketLoad(code)) {
            return random.nextInt(40) == 0 ? any() : random.nextInt(50);
        }
        int operation = BpfOpcode.operationOf(code);
        if (BpfOpcode.classOf(code) == BpfOpcode.ALU && (operation == BpfOpcode.LSH || operation == BpfOpcode.RSH)) {
            return random.nextInt(32);
        }
        int constant = any();
        return BpfOpcode.isDivision(code) && constant == 0 ? 1 : constant;
    }

    private int any() {
        return random.nextInt(8) == 0 ? random.nextInt() : CONSTANTS[random.nextInt(CONSTANTS.length)];
    }

    /** Often with small numbers in it, so that comparisons hold now and then. */
    byte[] packet() {
        byte[] packet = new byte[random.nextInt(4) == 0 ? random.nextInt(8) : random.nextInt(80)];
        boolean isSparse = random.nextBoolean();
        for (int i = 0; i < packet.length; i++) {
            packet[i] = (byte) (isSparse ? random.nextInt(4) / 3 * random.nextInt(20) : random.nextInt());
        }
        return packet;
    }

    int wireLength(int capturedLength) {
        return capturedLength + (random.nextBoolean() ? 0 : random.nextInt(2000));
    }
}
