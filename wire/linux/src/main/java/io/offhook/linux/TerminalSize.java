package io.offhook.linux;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.offhook.linux.libc.SysIoctl;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The size of a terminal, ioctl_tty(2).
 *
 * @param lines 1 to 65,535
 * @param columns 1 to 65,535
 */
public record TerminalSize(int lines, int columns) {
    /**
     * {@code TIOCGWINSZ} of asm-generic/ioctls.h; struct winsize has lines (16 bits), columns (16), pixels (16, 16).
     */
    private static final long TIOCGWINSZ = 0x5413;

    private static final int WINSIZE = 8;

    /**
     * The current size of the terminal that a descriptor refers to; it changes with the window.
     *
     * @return null if the descriptor is not a terminal, or the terminal does not know its size
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
