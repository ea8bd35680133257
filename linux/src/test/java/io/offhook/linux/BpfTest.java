package io.offhook.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The constants of {@link Bpf}, {@link XdpProgram} and {@link BpfAssembler} against those of the C compiler. */
@EnabledOnOs(OS.LINUX)
class BpfTest {
    private static final Map<String, String> IN_C = new LinkedHashMap<>();

    static {
        IN_C.put("MAP_TYPE", "offsetof(union bpf_attr, map_type)");
        IN_C.put("MAP_KEY_BYTES", "offsetof(union bpf_attr, key_size)");
        IN_C.put("MAP_VALUE_BYTES", "offsetof(union bpf_attr, value_size)");
        IN_C.put("MAP_ENTRIES", "offsetof(union bpf_attr, max_entries)");
        IN_C.put("ELEMENT_MAP", "offsetof(union bpf_attr, map_fd)");
        IN_C.put("ELEMENT_KEY", "offsetof(union bpf_attr, key)");
        IN_C.put("ELEMENT_VALUE", "offsetof(union bpf_attr, value)");
        IN_C.put("PROGRAM_TYPE", "offsetof(union bpf_attr, prog_type)");
        IN_C.put("PROGRAM_LENGTH", "offsetof(union bpf_attr, insn_cnt)");
        IN_C.put("PROGRAM_INSTRUCTIONS", "offsetof(union bpf_attr, insns)");
        IN_C.put("PROGRAM_LICENSE", "offsetof(union bpf_attr, license)");
        IN_C.put("PROGRAM_LOG_LEVEL", "offsetof(union bpf_attr, log_level)");
        IN_C.put("PROGRAM_LOG_BYTES", "offsetof(union bpf_attr, log_size)");
        IN_C.put("PROGRAM_LOG", "offsetof(union bpf_attr, log_buf)");
        IN_C.put("PROGRAM_FLAGS", "offsetof(union bpf_attr, prog_flags)");
        IN_C.put("PROGRAM_NAME", "offsetof(union bpf_attr, prog_name)");
        IN_C.put("PROGRAM_NAME_BYTES", "BPF_OBJ_NAME_LEN");
        IN_C.put("PROGRAM_ATTACH_TYPE", "offsetof(union bpf_attr, expected_attach_type)");
        IN_C.put("TEST_PROGRAM", "offsetof(union bpf_attr, test.prog_fd)");
        IN_C.put("TEST_RESULT", "offsetof(union bpf_attr, test.retval)");
        IN_C.put("TEST_DATA_BYTES", "offsetof(union bpf_attr, test.data_size_in)");
        IN_C.put("TEST_DATA", "offsetof(union bpf_attr, test.data_in)");
        IN_C.put("LINK_PROGRAM", "offsetof(union bpf_attr, link_create.prog_fd)");
        IN_C.put("LINK_INTERFACE", "offsetof(union bpf_attr, link_create.target_ifindex)");
        IN_C.put("LINK_ATTACH_TYPE", "offsetof(union bpf_attr, link_create.attach_type)");
        IN_C.put("LINK_FLAGS", "offsetof(union bpf_attr, link_create.flags)");
        IN_C.put("CONTEXT_DATA", "offsetof(struct xdp_md, data)");
        IN_C.put("CONTEXT_DATA_END", "offsetof(struct xdp_md, data_end)");
        IN_C.put("CONTEXT_RECEIVE_QUEUE", "offsetof(struct xdp_md, rx_queue_index)");
        IN_C.put("REDIRECT_MAP", "BPF_FUNC_redirect_map");
        IN_C.put("XDP_GET_BUFF_LEN", "BPF_FUNC_xdp_get_buff_len");
        IN_C.put("ADD", "BPF_ADD");
        IN_C.put("SHIFT_LEFT", "BPF_LSH");
        IN_C.put("SHIFT_RIGHT", "BPF_RSH");
        IN_C.put("AND", "BPF_AND");
        IN_C.put("MOVE", "BPF_MOV");
        IN_C.put("EQUAL", "BPF_JEQ");
        IN_C.put("GREATER", "BPF_JGT");
        IN_C.put("CLASS_LOAD_CONSTANT", "BPF_LD | BPF_IMM | BPF_DW");
        IN_C.put("CLASS_LOAD", "BPF_LDX | BPF_MEM");
        IN_C.put("CLASS_STORE", "BPF_STX | BPF_MEM");
        IN_C.put("CLASS_ALU", "BPF_ALU");
        IN_C.put("CLASS_JUMP", "BPF_JMP");
        IN_C.put("CLASS_JUMP32", "BPF_JMP32");
        IN_C.put("CLASS_ALU64", "BPF_ALU64");
        IN_C.put("SOURCE_REGISTER", "BPF_X");
        IN_C.put("CALL", "BPF_JMP | BPF_CALL");
        IN_C.put("EXIT", "BPF_JMP | BPF_EXIT");
        IN_C.put("FROM_NETWORK_ORDER", "BPF_ALU | BPF_END | BPF_TO_BE");
        IN_C.put("PSEUDO_MAP_DESCRIPTOR", "BPF_PSEUDO_MAP_FD");
        IN_C.put("INSTRUCTION_BYTES", "sizeof(struct bpf_insn)");
    }

    /** What is a choice of ours. */
    private static final List<String> OURS =
            List.of("ATTRIBUTE_BYTES", "LOG_BYTES", "LOG_TOLD", "UNATTACHED", "MAX_LENGTH");

    @Test
    void agreesWithTheCompiler(@TempDir Path folder) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/cc")), "no C compiler is here");
        Map<String, Integer> ours = ours();
        assertThat(ours.keySet()).containsAll(IN_C.keySet());
        StringBuilder source = new StringBuilder("#include <stddef.h>\n#include <stdio.h>\n#include <linux/bpf.h>\n"
                + "#include <linux/if_link.h>\n#include <sys/syscall.h>\nint main(void) {\n");
        ours.keySet()
                .forEach(name -> source.append("printf(\"%ld\\n\", (long)(")
                        .append(IN_C.getOrDefault(name, name.matches("R\\d+") ? "BPF_REG_" + name.substring(1) : name))
                        .append("));\n"));
        Path program = folder.resolve("constants.c");
        Files.writeString(program, source.append("printf(\"%ld\\n\", (long)__NR_bpf);\n}\n"));
        run("cc", "-o", folder.resolve("constants").toString(), program.toString());

        Map<String, Integer> theirs = new LinkedHashMap<>();
        String[] lines = run(folder.resolve("constants").toString()).split("\n", -1);
        int at = 0;
        for (String name : ours.keySet()) {
            theirs.put(name, Integer.valueOf(lines[at++]));
        }
        assertThat(ours).isEqualTo(theirs);
        assertThat(Bpf.NUMBER).isEqualTo(Long.parseLong(lines[at]));
    }

    private static Map<String, Integer> ours() {
        Map<String, Integer> constants = new LinkedHashMap<>();
        for (Class<?> type : List.of(Bpf.class, XdpProgram.class, BpfAssembler.class)) {
            for (Field field : type.getDeclaredFields()) {
                boolean isConstant = Modifier.isStatic(field.getModifiers()) && field.getType() == int.class;
                if (isConstant && !OURS.contains(field.getName())) {
                    try {
                        field.setAccessible(true);
                        constants.put(field.getName(), field.getInt(null));
                    } catch (IllegalAccessException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        }
        return constants;
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
