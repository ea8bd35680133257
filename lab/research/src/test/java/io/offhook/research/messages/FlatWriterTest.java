package io.offhook.research.messages;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.offhook.research.NativeCode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FlatWriterTest {
    @Test
    void headerIsLaidOutAsTheCompilerHasIt() {
        assumeThat(new NativeCode("messages").missing()).isNull();
        MemorySegment compiler = Arena.ofAuto().allocate(JAVA_LONG, 7);
        MessageNatives.flatLayout(compiler);
        LongStream offsets = Stream.of("ratio", "number", "flag", "text", "names", "numbers")
                .mapToLong(field -> FlatWriter.HEADER.byteOffset(groupElement(field)));
        assertThat(LongStream.concat(offsets, LongStream.of(FlatWriter.HEADER.byteSize())))
                .containsExactly(
                        LongStream.of(compiler.toArray(JAVA_LONG)).boxed().toArray(Long[]::new));
    }

    @Test
    void writesOverTheLastMessage() {
        MemorySegment segment = Arena.ofAuto().allocate(4096, 8);
        FlatWriter writer = new FlatWriter(segment);
        Message small = new Message("a", 1, 2, true, new String[] {"b"}, new int[] {3});
        int length = writer.write(small);
        byte[] first = segment.asSlice(0, length).toArray(JAVA_BYTE);
        writer.write(new MessageSource().next());
        assertThat(writer.write(small)).isEqualTo(length);
        assertThat(segment.asSlice(0, length).toArray(JAVA_BYTE)).isEqualTo(first);
    }
}
