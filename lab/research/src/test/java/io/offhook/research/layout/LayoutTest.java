package io.offhook.research.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.research.CompilerOffsets;
import io.offhook.research.NativeCode;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class LayoutTest {
    private static final NativeCode CODE = new NativeCode("layout");

    static final List<StructLayout> LAYOUTS = List.of(
            Layouts.PADDED,
            Layouts.PACKED,
            Layouts.SORTED,
            Layouts.RECORD,
            Layouts.record(ByteOrder.LITTLE_ENDIAN),
            Layouts.record(ByteOrder.BIG_ENDIAN));

    @ParameterizedTest
    @FieldSource("LAYOUTS")
    void hasTheLayoutOfTheCompiler(StructLayout layout) {
        new CompilerOffsets(CODE).hold(layout);
    }

    @Test
    void putsUnalignedFieldsWhereTheCompilerPutsAlignedOnes() {
        for (String field : List.of("port", "length", "timestamp")) {
            MemoryLayout.PathElement path = MemoryLayout.PathElement.groupElement(field);
            assertThat(Layouts.RECORD_ANYWHERE.byteOffset(path)).isEqualTo(Layouts.RECORD.byteOffset(path));
        }
        assertThat(Layouts.RECORD_ANYWHERE.byteAlignment()).isEqualTo(1);
    }

    @Test
    void comesToTheSameByEveryTechnique() {
        assertThat(Agreement.check(CODE.missing() == null)).isGreaterThan(25);
    }

    /** What docs/NATIVE-NUMBERS.md says of C's types, and what the linker knows of them. */
    @Test
    void knowsTheTypesOfTheCompiler() {
        CompilerOffsets compiler = new CompilerOffsets(CODE);
        Map<String, MemoryLayout> linker = Linker.nativeLinker().canonicalLayouts();
        for (String type : List.of(
                "char", "short", "int", "long", "long long", "size_t", "wchar_t", "float", "double", "void *")) {
            MemoryLayout layout = Objects.requireNonNull(linker.get(type.replace("void *", "void*")));
            assertThat(new CompilerOffsets.Entry(0, layout.byteSize(), layout.byteAlignment()))
                    .as(type)
                    .isEqualTo(compiler.entry(type));
        }
        assertThat(compiler.entry("_Bool").size())
                .isEqualTo(Objects.requireNonNull(linker.get("bool")).byteSize());
    }

    @Test
    void refusesWhatTheSignedTypeCannotHold() {
        assertThat(Unsigned.byteExact((byte) 0x7f)).isEqualTo((byte) 127);
        assertThatThrownBy(() -> Unsigned.byteExact((byte) 0x80))
                .isInstanceOf(ArithmeticException.class)
                .hasMessageContaining("128");
        assertThatThrownBy(() -> Unsigned.shortExact((short) 0xffff)).hasMessageContaining("65535");
        assertThatThrownBy(() -> Unsigned.intExact(0xffff_ffff)).hasMessageContaining("4294967295");
        assertThatThrownBy(() -> Unsigned.longExact(-1)).hasMessageContaining("18446744073709551615");
    }

    @Test
    void refusesToWriteWhatDoesNotFit() {
        assertThat(Unsigned.u8(255)).isEqualTo(255);
        assertThat(Unsigned.u64(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> Unsigned.u8(256))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("256")
                .hasMessageContaining("255");
        assertThatThrownBy(() -> Unsigned.u16(65_536)).hasMessageContaining("65535");
        assertThatThrownBy(() -> Unsigned.u32(1L << 32)).hasMessageContaining("4294967295");
        assertThatThrownBy(() -> Unsigned.u32(-1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> Unsigned.u64(-1)).hasMessageContaining("-1");
    }
}
