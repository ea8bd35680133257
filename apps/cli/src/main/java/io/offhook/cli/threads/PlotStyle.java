package io.offhook.cli.threads;

import java.util.Locale;

/** The colours of a plot, on light paper and on dark; they are told apart also by those who confuse red and green. */
enum PlotStyle {
    TEXT(0x1f2328, 0xd5d9e0),
    TITLE(0x1f2328, 0xd5d9e0),
    FAINT(0x5c6470, 0x949ba8),
    PAPER(0xffffff, 0x16181d),
    LANE(0xf1f3f6, 0x1f232b),
    GRID(0xd5d9e0, 0x343a46),
    RAW(0x93c1f2, 0x2f5f96),
    WAITED(0xe5534b, 0xe5534b),
    RUNNING(0x57ab5a, 0x57ab5a),
    SLEEPING(0xb8a1e8, 0xb8a1e8),
    WAIT(0xe3c04b, 0xe3c04b),
    PARK(0xe08b3d, 0xe08b3d),
    MONITOR(0xc4233b, 0xc4233b),
    GC(0xbf3989, 0xbf3989),
    MEAN(0x0a4a9c, 0x9ccbff);

    /** How much a pause covers what is below. */
    private static final double GC_OPACITY = 0.55;

    private final int light;
    private final int dark;

    PlotStyle(int light, int dark) {
        this.light = light;
        this.dark = dark;
    }

    /** The colour on light paper: red, green and blue, 8 bits each. */
    int light() {
        return light;
    }

    /** The colour on dark paper. */
    int dark() {
        return dark;
    }

    /** 0 to 1. */
    double opacity() {
        return this == GC ? GC_OPACITY : 1;
    }

    /** Its class in SVG. */
    String className() {
        return name().toLowerCase(Locale.ROOT);
    }
}
