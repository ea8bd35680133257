package io.offhook.linux.raw;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MemoryStreamTest {
    private static final MethodHandle FPUTS = Objects.requireNonNull(NativeLibrary.open(List.of("libc.so.6")))
            .function("fputs", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));

    private static void write(MemoryStream stream, String text) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            int _ = (int) FPUTS.invokeExact(arena.allocateFrom(text), stream.address());
        }
    }

    @Test
    void keepsWhatNativeCodeWrites() throws Throwable {
        try (MemoryStream stream = new MemoryStream(64)) {
            assertThat(stream.text()).isEmpty();
            write(stream, "EAL: no ");
            write(stream, "pages\n");
            assertThat(stream.text()).isEqualTo("EAL: no pages\n");
        }
    }

    @Test
    void forgetsWhenItIsCleared() throws Throwable {
        try (MemoryStream stream = new MemoryStream(64)) {
            write(stream, "a long line before");
            stream.clear();
            assertThat(stream.text()).isEmpty();
            write(stream, "short");
            assertThat(stream.text()).isEqualTo("short");
        }
    }

    @Test
    void holdsNoMoreThanItHasRoomFor() throws Throwable {
        try (MemoryStream stream = new MemoryStream(8)) {
            write(stream, "0123456789");
            assertThat(stream.text().length()).isBetween(7, 8);
            assertThat("0123456789").startsWith(stream.text());
            stream.clear();
            write(stream, "again");
            assertThat(stream.text()).isEqualTo("again");
        }
    }

    @Test
    void saysWhatIsMisuse() {
        MemoryStream stream = new MemoryStream(8);
        stream.close();
        stream.close();
        assertThatThrownBy(stream::text).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new MemoryStream(1)).isInstanceOf(IllegalArgumentException.class);
    }
}
