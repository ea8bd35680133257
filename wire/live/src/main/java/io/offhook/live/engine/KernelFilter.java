package io.offhook.live.engine;

import io.offhook.filter.BpfOpcode;
import io.offhook.filter.BpfProgram;
import io.offhook.filter.FilterCompiler;

/**
 * A filter divided between the kernel and us. The kernel has taken the VLAN tag out of a frame by the time it runs a
 * program, so that the same program would give another answer than on the frame as it was on the wire. So the kernel lets
 * all tagged frames pass, and decides the others; the tagged ones are decided here, once their tag is back.
 *
 * @param program for the kernel
 * @param whole the same for tagged frames, here
 */
public record KernelFilter(BpfProgram program, BpfProgram whole) {
    /** SKF_AD_OFF and SKF_AD_VLAN_TAG_PRESENT of linux/filter.h: 1 where a tag was taken out. */
    private static final int VLAN_TAG_PRESENT = -0x1000 + 48;

    /** Of an expression; of an empty one, all packets. */
    public static KernelFilter of(String expression, int linkType, int snapLength) {
        BpfProgram whole = FilterCompiler.compile(expression, linkType, snapLength);
        return new KernelFilter(sparingTagged(whole), whole);
    }

    /** What lets nothing pass. */
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
        // whole, for the filter may look beyond what is wanted of it
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
