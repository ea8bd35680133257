package io.offhook.linux.raw;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.offhook.linux.LinuxException;
import io.offhook.linux.libc.Bpf;
import io.offhook.linux.libc.Unistd;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Loads programs of any type into the kernel. */
final class BpfProgram {
    private static final int LOG_BYTES = 64 << 10;
    private static final int LOG_TOLD = 1000;

    private BpfProgram() {}

    /**
     * Loads a program; the kernel verifies it.
     *
     * @param type BPF_PROG_TYPE_...
     * @param attachType where the program will be attached; 0 where the type says it
     * @param flags BPF_F_...
     * @param what the purpose, for messages
     * @return the descriptor
     * @throws LinuxException EPERM if a capability is missing; the message includes the log of the kernel's verifier
     */
    static int load(BpfAssembler program, int type, int attachType, int flags, String what) {
        byte[] instructions = program.toBytes();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment code = arena.allocate(instructions.length, Long.BYTES);
            MemorySegment.copy(instructions, 0, code, JAVA_BYTE, 0, instructions.length);
            MemorySegment attribute = arena.allocate(Bpf.ATTRIBUTE_BYTES, Long.BYTES);
            attribute.set(JAVA_INT, Bpf.PROGRAM_TYPE, type);
            attribute.set(JAVA_INT, Bpf.PROGRAM_LENGTH, program.length());
            attribute.set(ADDRESS, Bpf.PROGRAM_INSTRUCTIONS, code);
            // calls no function reserved for programs under the GPL
            attribute.set(ADDRESS, Bpf.PROGRAM_LICENSE, arena.allocateFrom("Apache-2.0"));
            attribute.set(JAVA_INT, Bpf.PROGRAM_FLAGS, flags);
            attribute.set(JAVA_INT, Bpf.PROGRAM_ATTACH_TYPE, attachType);
            attribute.setString(Bpf.PROGRAM_NAME, "offhook", StandardCharsets.US_ASCII);
            int loaded = Bpf.bpf(Bpf.BPF_PROG_LOAD, attribute);
            if (loaded < 0) {
                String log = loaded == -LinuxException.EPERM ? "" : verifierLog(attribute, arena);
                throw new LinuxException(what + log, -loaded);
            }
            return loaded;
        }
    }

    /** Loads once more, for the verifier's log; its last lines state the fault. */
    private static String verifierLog(MemorySegment attribute, Arena arena) {
        MemorySegment log = arena.allocate(LOG_BYTES);
        attribute.set(JAVA_INT, Bpf.PROGRAM_LOG_LEVEL, 1);
        attribute.set(JAVA_INT, Bpf.PROGRAM_LOG_BYTES, LOG_BYTES);
        attribute.set(ADDRESS, Bpf.PROGRAM_LOG, log);
        int loaded = Bpf.bpf(Bpf.BPF_PROG_LOAD, attribute);
        if (loaded >= 0) {
            Unistd.close(loaded);
            return "";
        }
        String text = log.getString(0).strip();
        String last = text.substring(Math.max(0, text.length() - LOG_TOLD));
        return last.isEmpty() ? "" : " (" + last.replace('\n', ' ') + ")";
    }
}
