package io.offhook.linux.raw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.linux.LinuxException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Runs programs in the kernel, on frames of the test's own. */
@EnabledOnOs(OS.LINUX)
class XdpProgramTest {
    private static final int XDP_DROP = 1;

    @BeforeEach
    void needsRoot() {
        assumeTrue(System.getProperty("user.name").equals("root"), "needs root");
    }

    private static int run(BpfAssembler assembler, int... frame) {
        try (XdpProgram program = XdpProgram.load(assembler, false);
                Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(64);
            for (int i = 0; i < frame.length; i++) {
                bytes.set(ValueLayout.JAVA_BYTE, i, (byte) frame[i]);
            }
            return program.test(bytes);
        }
    }

    private static void result(BpfAssembler assembler, int value) {
        assembler.computeConstant(BpfAssembler.MOVE, BpfAssembler.R0, value);
        assembler.exit();
    }

    /** Reads as many bytes of the frame's beginning into R0. */
    private static BpfAssembler read(int bytes) {
        BpfAssembler assembler = new BpfAssembler();
        int outside = assembler.label();
        assembler.load(4, BpfAssembler.R2, BpfAssembler.R1, XdpProgram.CONTEXT_DATA);
        assembler.load(4, BpfAssembler.R3, BpfAssembler.R1, XdpProgram.CONTEXT_DATA_END);
        assembler.computeAddress(BpfAssembler.MOVE, BpfAssembler.R4, BpfAssembler.R2);
        assembler.computeAddressConstant(BpfAssembler.ADD, BpfAssembler.R4, bytes);
        assembler.jumpAddress(BpfAssembler.GREATER, BpfAssembler.R4, BpfAssembler.R3, outside);
        assembler.load(bytes, BpfAssembler.R0, BpfAssembler.R2, 0);
        if (bytes > 1) {
            assembler.fromNetworkOrder(BpfAssembler.R0, bytes * 8);
        }
        assembler.exit();
        assembler.place(outside);
        result(assembler, -1);
        return assembler;
    }

    @Test
    void readsTheFrame() {
        assertThat(run(read(1), 1, 2, 3, 4)).isEqualTo(1);
        assertThat(run(read(2), 1, 2, 3, 4)).isEqualTo(0x0102);
        assertThat(run(read(4), 0xf1, 2, 3, 4)).isEqualTo(0xf1020304);
    }

    @Test
    void jumpsAndComputes() {
        BpfAssembler assembler = new BpfAssembler();
        int isSeven = assembler.label();
        int end = assembler.label();
        assembler.computeConstant(BpfAssembler.MOVE, BpfAssembler.R6, 3);
        assembler.computeConstant(BpfAssembler.SHIFT_LEFT, BpfAssembler.R6, 1);
        assembler.computeConstant(BpfAssembler.ADD, BpfAssembler.R6, 1);
        assembler.store(4, BpfAssembler.R10, -8, BpfAssembler.R6);
        assembler.load(4, BpfAssembler.R7, BpfAssembler.R10, -8);
        assembler.jumpConstant(BpfAssembler.EQUAL, BpfAssembler.R7, 7, isSeven);
        result(assembler, XDP_DROP);
        assembler.place(isSeven);
        assembler.jump(BpfAssembler.GREATER, BpfAssembler.R7, BpfAssembler.R6, end);
        assembler.jump(end);
        assembler.place(end);
        result(assembler, XdpProgram.XDP_PASS);
        assertThat(run(assembler)).isEqualTo(XdpProgram.XDP_PASS);
    }

    @Test
    void asksAMapAndReportsThatNothingIsThere() {
        try (BpfMap map = BpfMap.ofXdpSockets(4)) {
            BpfAssembler assembler = new BpfAssembler();
            assembler.loadMap(BpfAssembler.R1, map);
            assembler.computeConstant(BpfAssembler.MOVE, BpfAssembler.R2, 0);
            assembler.computeConstant(BpfAssembler.MOVE, BpfAssembler.R3, XdpProgram.XDP_PASS);
            assembler.call(XdpProgram.REDIRECT_MAP);
            assembler.exit();
            assertThat(run(assembler)).isEqualTo(XdpProgram.XDP_PASS);
            assertThatThrownBy(() -> map.remove(9, "take out socket 9"))
                    .isInstanceOf(LinuxException.class)
                    .hasMessageStartingWith("take out socket 9: E");
        }
    }

    @Test
    void reportsWhatTheVerifierSaid() {
        BpfAssembler assembler = new BpfAssembler();
        assembler.load(4, BpfAssembler.R0, BpfAssembler.R9, 0);
        assembler.exit();
        assertThatThrownBy(() -> XdpProgram.load(assembler, false))
                .isInstanceOf(LinuxException.class)
                .hasMessageStartingWith("load an XDP program (")
                .hasMessageContaining("R9 !read_ok");
    }

    @Test
    void refusesLabelsWithoutAPlaceAndJumpsTooFar() {
        BpfAssembler nowhere = new BpfAssembler();
        nowhere.jump(nowhere.label());
        assertThatThrownBy(() -> XdpProgram.load(nowhere, false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("label 0 is not placed");
        BpfAssembler far = new BpfAssembler();
        int end = far.label();
        far.jump(end);
        for (int i = 0; i < 32_768; i++) {
            far.computeConstant(BpfAssembler.MOVE, BpfAssembler.R0, 0);
        }
        far.place(end);
        far.exit();
        assertThatThrownBy(() -> XdpProgram.load(far, false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a jump spans 32768 instructions; the limit is 32767");
    }
}
