package io.offhook.live.engine;

import io.offhook.filter.BpfOpcode;
import io.offhook.filter.BpfProgram;
import io.offhook.filter.FilterCompiler;

/**
 * A filter divided between the kernel and this process. The kernel removes a frame's VLAN tag before it runs a program,
 * so the same program could decide differently than on the frame as it was on the wire. Therefore the kernel lets all
 * tagged frames pass and decides the others; the tagged ones are decided here, after their tag was put back.
 *
 * @param program the program for the kernel
 * @param whole the program for tagged frames, run here
 */
public record KernelFilter(BpfProgram program, BpfProgram whole) {
    /** SKF_AD_OFF and SKF_AD_VLAN_TAG_PRESENT of linux/filter.h: loads 1 if a tag was removed. */
    private static final int VLAN_TAG_PRESENT = -0x1000 + 48;

    /** Compiles an expression; an empty one matches all packets. */
    public static KernelFilter of(String expression, int linkType, int snapLength) {
        BpfProgram whole = FilterCompiler.compile(expression, linkType, snapLength);
        return new KernelFilter(sparingTagged(whole), whole);
    }

    /** Returns a program that matches no packet. */
    public static BpfProgram nothing() {
        return BpfProgram.of(new int[] {BpfOpcode.RET | BpfOpcode.K}, new int[1], new int[1], new int[1]);
    }

    private static BpfProgram sparingTagged(BpfProgram program) {
        int before = 3;
        int length = program.length() + before;
        int[] code = new int[length];
        int[] jt = new int[length];
        int[] jf = new int[length];
        int[] k = new int[length];
        code[0] = BpfOpcode.LD | BpfOpcode.B | BpfOpcode.ABS;
        k[0] = VLAN_TAG_PRESENT;
        code[1] = BpfOpcode.JMP | BpfOpcode.JEQ | BpfOpcode.K;
        jt[1] = 1;
        code[2] = BpfOpcode.RET | BpfOpcode.K;
        // the whole packet: the filter may look beyond the snap length
        k[2] = FilterCompiler.DEFAULT_SNAP_LENGTH;
        for (int i = 0; i < program.length(); i++) {
            code[before + i] = program.code(i);
            jt[before + i] = program.jt(i);
            jf[before + i] = program.jf(i);
            k[before + i] = program.k(i);
        }
        return BpfProgram.of(code, jt, jf, k);
    }
}
