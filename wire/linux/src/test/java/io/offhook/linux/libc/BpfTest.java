package io.offhook.linux.libc;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.linux.raw.BpfAssembler;
import io.offhook.linux.raw.ReuseportProgram;
import io.offhook.linux.raw.XdpProgram;
import io.offhook.testkit.peers.CompilerConstants;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is said to bpf(2) against {@code linux/bpf.h}. */
@EnabledOnOs(OS.LINUX)
class BpfTest {
    @TempDir
    Path folder;

    @Test
    void attributesAgreeWithTheCompiler() throws Exception {
        CompilerConstants.assertAgree(
                Bpf.class,
                List.of("linux/bpf.h"),
                Map.ofEntries(
                        entry("MAP_TYPE", "offsetof(union bpf_attr, map_type)"),
                        entry("MAP_KEY_BYTES", "offsetof(union bpf_attr, key_size)"),
                        entry("MAP_VALUE_BYTES", "offsetof(union bpf_attr, value_size)"),
                        entry("MAP_ENTRIES", "offsetof(union bpf_attr, max_entries)"),
                        entry("ELEMENT_MAP", "offsetof(union bpf_attr, map_fd)"),
                        entry("ELEMENT_KEY", "offsetof(union bpf_attr, key)"),
                        entry("ELEMENT_VALUE", "offsetof(union bpf_attr, value)"),
                        entry("PROGRAM_TYPE", "offsetof(union bpf_attr, prog_type)"),
                        entry("PROGRAM_LENGTH", "offsetof(union bpf_attr, insn_cnt)"),
                        entry("PROGRAM_INSTRUCTIONS", "offsetof(union bpf_attr, insns)"),
                        entry("PROGRAM_LICENSE", "offsetof(union bpf_attr, license)"),
                        entry("PROGRAM_LOG_LEVEL", "offsetof(union bpf_attr, log_level)"),
                        entry("PROGRAM_LOG_BYTES", "offsetof(union bpf_attr, log_size)"),
                        entry("PROGRAM_LOG", "offsetof(union bpf_attr, log_buf)"),
                        entry("PROGRAM_FLAGS", "offsetof(union bpf_attr, prog_flags)"),
                        entry("PROGRAM_NAME", "offsetof(union bpf_attr, prog_name)"),
                        entry("PROGRAM_NAME_BYTES", "BPF_OBJ_NAME_LEN"),
                        entry("PROGRAM_ATTACH_TYPE", "offsetof(union bpf_attr, expected_attach_type)"),
                        entry("TEST_PROGRAM", "offsetof(union bpf_attr, test.prog_fd)"),
                        entry("TEST_RESULT", "offsetof(union bpf_attr, test.retval)"),
                        entry("TEST_DATA_BYTES", "offsetof(union bpf_attr, test.data_size_in)"),
                        entry("TEST_DATA", "offsetof(union bpf_attr, test.data_in)"),
                        entry("LINK_PROGRAM", "offsetof(union bpf_attr, link_create.prog_fd)"),
                        entry("LINK_INTERFACE", "offsetof(union bpf_attr, link_create.target_ifindex)"),
                        entry("LINK_ATTACH_TYPE", "offsetof(union bpf_attr, link_create.attach_type)"),
                        entry("LINK_FLAGS", "offsetof(union bpf_attr, link_create.flags)")),
                Set.of("ATTRIBUTE_BYTES", "NUMBER"),
                folder);
    }

    /** As the tables of system calls of linux/arch have them. */
    @Test
    void theCallHasTheNumberOfItsArchitecture() {
        assertThat(Bpf.number("amd64")).isEqualTo(321);
        assertThat(Bpf.number("aarch64")).isEqualTo(280);
        assertThat(Bpf.number("riscv64")).isEqualTo(280);
        assertThat(Bpf.number("ppc64le")).isEqualTo(361);
        assertThat(Bpf.number("s390x")).isEqualTo(351);
    }

    @Test
    void programsAgreeWithTheCompiler() throws Exception {
        CompilerConstants.assertAgree(
                XdpProgram.class,
                List.of("linux/bpf.h", "linux/if_link.h"),
                Map.ofEntries(
                        entry("CONTEXT_DATA", "offsetof(struct xdp_md, data)"),
                        entry("CONTEXT_DATA_END", "offsetof(struct xdp_md, data_end)"),
                        entry("CONTEXT_RECEIVE_QUEUE", "offsetof(struct xdp_md, rx_queue_index)"),
                        entry("REDIRECT_MAP", "BPF_FUNC_redirect_map"),
                        entry("XDP_GET_BUFF_LEN", "BPF_FUNC_xdp_get_buff_len")),
                Set.of("UNATTACHED"),
                folder);
    }

    @Test
    void selectorsAgreeWithTheCompiler() throws Exception {
        CompilerConstants.assertAgree(
                ReuseportProgram.class,
                List.of("linux/bpf.h"),
                Map.of(
                        "CONTEXT_LENGTH", "offsetof(struct __sk_buff, len)",
                        "MAP_LOOKUP_ELEM", "BPF_FUNC_map_lookup_elem",
                        "SKB_LOAD_BYTES", "BPF_FUNC_skb_load_bytes"),
                folder);
    }

    @Test
    void instructionsAgreeWithTheCompiler() throws Exception {
        CompilerConstants.assertAgree(
                BpfAssembler.class,
                List.of("linux/bpf.h"),
                Map.ofEntries(
                        entry("R0", "BPF_REG_0"),
                        entry("R1", "BPF_REG_1"),
                        entry("R2", "BPF_REG_2"),
                        entry("R3", "BPF_REG_3"),
                        entry("R4", "BPF_REG_4"),
                        entry("R6", "BPF_REG_6"),
                        entry("R7", "BPF_REG_7"),
                        entry("R8", "BPF_REG_8"),
                        entry("R9", "BPF_REG_9"),
                        entry("R10", "BPF_REG_10"),
                        entry("ADD", "BPF_ADD"),
                        entry("SUBTRACT", "BPF_SUB"),
                        entry("MULTIPLY", "BPF_MUL"),
                        entry("OR", "BPF_OR"),
                        entry("EXCLUSIVE_OR", "BPF_XOR"),
                        entry("NOT_EQUAL", "BPF_JNE"),
                        entry("LESS", "BPF_JLT"),
                        entry("SHIFT_LEFT", "BPF_LSH"),
                        entry("SHIFT_RIGHT", "BPF_RSH"),
                        entry("AND", "BPF_AND"),
                        entry("MOVE", "BPF_MOV"),
                        entry("EQUAL", "BPF_JEQ"),
                        entry("GREATER", "BPF_JGT"),
                        entry("GREATER_OR_EQUAL", "BPF_JGE"),
                        entry("CLASS_LOAD_CONSTANT", "BPF_LD | BPF_IMM | BPF_DW"),
                        entry("CLASS_LOAD", "BPF_LDX | BPF_MEM"),
                        entry("CLASS_STORE", "BPF_STX | BPF_MEM"),
                        entry("CLASS_ALU", "BPF_ALU"),
                        entry("CLASS_JUMP", "BPF_JMP"),
                        entry("CLASS_JUMP32", "BPF_JMP32"),
                        entry("CLASS_ALU64", "BPF_ALU64"),
                        entry("SOURCE_REGISTER", "BPF_X"),
                        entry("CALL", "BPF_JMP | BPF_CALL"),
                        entry("EXIT", "BPF_JMP | BPF_EXIT"),
                        entry("FROM_LITTLE_ENDIAN", "BPF_ALU | BPF_END | BPF_TO_LE"),
                        entry("FROM_NETWORK_ORDER", "BPF_ALU | BPF_END | BPF_TO_BE"),
                        entry("PSEUDO_MAP_DESCRIPTOR", "BPF_PSEUDO_MAP_FD"),
                        entry("INSTRUCTION_BYTES", "sizeof(struct bpf_insn)")),
                Set.of("MAX_LENGTH"),
                folder);
    }

    @Test
    void theCallHasTheNumberOfThisMachine() throws Exception {
        String header = CompilerConstants.evaluate("__NR_bpf", List.of("sys/syscall.h"), folder);
        assertThat(Bpf.NUMBER).isEqualTo(Long.parseLong(header));
    }
}
