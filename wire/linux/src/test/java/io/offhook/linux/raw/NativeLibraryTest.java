package io.offhook.linux.raw;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.junit.jupiter.api.Test;

@SuppressWarnings("restricted") // a target layout
class NativeLibraryTest {
    private static NativeLibrary library(String... names) {
        return Objects.requireNonNull(NativeLibrary.open(List.of(names)));
    }

    @Test
    void opensTheFirstThatIsThere() throws Throwable {
        NativeLibrary math = library("liboffhook-none.so.7", "libm.so.6");
        MethodHandle cosine = math.function("cos", FunctionDescriptor.of(JAVA_DOUBLE, JAVA_DOUBLE));

        assertThat(math.name()).isEqualTo("libm.so.6");
        assertThat((double) cosine.invokeExact(0.0)).isEqualTo(1.0);
    }

    @Test
    void isNullWhereNoneIsThere() {
        assertThat(NativeLibrary.open(List.of("liboffhook-none.so.7"))).isNull();
    }

    @Test
    void namesTheFunctionThatAVersionLacks() {
        NativeLibrary math = library("libm.so.6");

        assertThat(math.find("offhook_none")).isEmpty();
        assertThatThrownBy(() -> math.function("offhook_none", FunctionDescriptor.ofVoid()))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessage("libm.so.6 has no function offhook_none");
    }

    static int descending(MemorySegment left, MemorySegment right) {
        return Integer.compare(right.get(JAVA_INT, 0), left.get(JAVA_INT, 0));
    }

    @Test
    void nativeCodeCallsBackAndItsMemoryIsRead() throws Throwable {
        MethodHandle sort = library("libc.so.6")
                .function("qsort", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
        var element = ADDRESS.withTargetLayout(JAVA_INT);
        MethodHandle descending = MethodHandles.lookup()
                .findStatic(
                        NativeLibraryTest.class,
                        "descending",
                        MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment values = arena.allocateFrom(JAVA_INT, 2, 3, 1);
            sort.invokeExact(
                    values,
                    3L,
                    4L,
                    NativeLibrary.callback(descending, FunctionDescriptor.of(JAVA_INT, element, element), arena));

            assertThat(NativeLibrary.memory(values.address(), 12).toArray(JAVA_INT))
                    .containsExactly(3, 2, 1);
        }
    }
}
