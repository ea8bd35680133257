package io.offhook.linux;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * How large a terminal is, ioctl_tty(2).
 *
 * @param lines 1 to 65,535
 * @param columns 1 to 65,535
 */
public record TerminalSize(int lines, int columns) {
    /** {@code TIOCGWINSZ} of asm-generic/ioctls.h, and struct winsize: lines (16 bits), columns (16), pixels (16, 16). */
    private static final long TIOCGWINSZ = 0x5413;

    private static final int WINSIZE = 8;

    /**
     * Of the terminal that a descriptor is now; it changes with the window.
     *
     * @return null where the descriptor is no terminal, or one that does not know
     */
    public static @Nullable TerminalSize of(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size = arena.allocate(WINSIZE, Short.BYTES);
            int lines = 0;
            int columns = 0;
            if (SysIoctl.ioctl(descriptor, TIOCGWINSZ, size) >= 0) {
                lines = Short.toUnsignedInt(size.get(JAVA_SHORT, 0));
                columns = Short.toUnsignedInt(size.get(JAVA_SHORT, Short.BYTES));
            }
            return lines == 0 || columns == 0 ? null : new TerminalSize(lines, columns);
        }
    }
}
