package io.offhook.research;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.StructLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** What the C compiler says of a library's structures (offsets.h), to hold layouts of ours against. */
public final class CompilerOffsets {
    private static final long ENTRY_BYTES = 32;

    /** Of a structure or a field. */
    public record Entry(long offset, long size, long alignment) {}

    private final Map<String, Entry> byName = new LinkedHashMap<>();

    /** Reads the table of a library; where there is none, the test that asks is skipped with the reason. */
    public CompilerOffsets(NativeCode code) {
        assumeTrue(code.missing() == null, () -> "no compiler's offsets to compare with: " + code.missing());
        MemorySegment entry;
        try {
            entry = (MemorySegment) code.downcall("offhook_offsets", FunctionDescriptor.of(ADDRESS))
                    .invokeExact();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        for (long at = entry.address(); ; at += ENTRY_BYTES) {
            MemorySegment row = MemorySegment.ofAddress(at).reinterpret(ENTRY_BYTES);
            MemorySegment name = row.get(ADDRESS, 0);
            if (name.equals(MemorySegment.NULL)) {
                return;
            }
            Entry found = new Entry(row.get(JAVA_LONG, 8), row.get(JAVA_LONG, 16), row.get(JAVA_LONG, 24));
            byName.put(name.reinterpret(Long.MAX_VALUE).getString(0), found);
        }
    }

    /** What the compiler says of that name. */
    public Entry entry(String name) {
        return Objects.requireNonNull(byName.get(name), () -> "the compiler knows no " + name);
    }

    /** Fails unless size, alignment and all fields of the layout, which has the structure's name, are the compiler's. */
    public void hold(StructLayout layout) {
        String name = layout.name().orElseThrow();
        assertThat(new Entry(0, layout.byteSize(), layout.byteAlignment()))
                .as(name)
                .isEqualTo(entry(name));
        int fields = 0;
        for (MemoryLayout member : layout.memberLayouts()) {
            if (!(member instanceof PaddingLayout)) {
                String field = member.name().orElseThrow();
                long offset = layout.byteOffset(PathElement.groupElement(field));
                assertThat(new Entry(offset, member.byteSize(), 0))
                        .as(name + "." + field)
                        .isEqualTo(entry(name + "." + field));
                fields++;
            }
        }
        String prefix = name + ".";
        assertThat(byName.keySet().stream().filter(key -> key.startsWith(prefix)))
                .as("fields of " + name)
                .hasSize(fields);
    }
}
