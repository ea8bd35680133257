package io.offhook.monitor;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/** The dynamic symbols of a library of 64 bits: elf(5). */
final class ElfSymbols {
    private static final int SECTION_HEADERS = 0x28;
    private static final int SECTION_HEADER_BYTES = 0x3a;
    private static final int SECTIONS = 0x3c;
    private static final int SECTION_TYPE = 4;
    private static final int SECTION_OFFSET = 0x18;
    private static final int SECTION_BYTES = 0x20;
    private static final int SECTION_LINK = 0x28;
    private static final int SHT_DYNSYM = 11;
    private static final int SYMBOL_BYTES = 24;
    private static final int SYMBOL_VALUE = 8;
    private static final int ELF_MAGIC = 0x7f454c46;
    private static final int CLASS = 4;
    private static final int CLASS_64 = 2;

    private ElfSymbols() {}

    /**
     * Finds the symbols whose names begin with a text.
     *
     * @return their addresses within the library, by name
     * @throws IOException if the file cannot be read, or is no such library
     */
    static Map<String, Long> beginningWith(String prefix, Path library) throws IOException {
        try (FileChannel file = FileChannel.open(library, StandardOpenOption.READ);
                Arena arena = Arena.ofConfined()) {
            ByteBuffer elf = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size(), arena)
                    .asByteBuffer();
            if (elf.getInt(0) != ELF_MAGIC || elf.get(CLASS) != CLASS_64) {
                throw new IOException(library + " is no ELF file of 64 bits");
            }
            return symbols(prefix, elf.order(ByteOrder.nativeOrder()));
        } catch (IndexOutOfBoundsException e) {
            throw new IOException(library + " is damaged", e);
        }
    }

    private static Map<String, Long> symbols(String prefix, ByteBuffer elf) {
        Map<String, Long> found = new HashMap<>();
        int headers = (int) elf.getLong(SECTION_HEADERS);
        int headerBytes = elf.getShort(SECTION_HEADER_BYTES);
        int sections = Short.toUnsignedInt(elf.getShort(SECTIONS));
        for (int i = 0; i < sections; i++) {
            int header = headers + i * headerBytes;
            if (elf.getInt(header + SECTION_TYPE) != SHT_DYNSYM) {
                continue;
            }
            int names = (int) elf.getLong(headers + elf.getInt(header + SECTION_LINK) * headerBytes + SECTION_OFFSET);
            int begin = (int) elf.getLong(header + SECTION_OFFSET);
            int end = begin + (int) elf.getLong(header + SECTION_BYTES);
            for (int symbol = begin; symbol < end; symbol += SYMBOL_BYTES) {
                int name = names + elf.getInt(symbol);
                if (begins(prefix, elf, name)) {
                    found.put(text(elf, name), elf.getLong(symbol + SYMBOL_VALUE));
                }
            }
        }
        return found;
    }

    private static boolean begins(String prefix, ByteBuffer elf, int at) {
        for (int i = 0; i < prefix.length(); i++) {
            if (elf.get(at + i) != prefix.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static String text(ByteBuffer elf, int at) {
        StringBuilder text = new StringBuilder();
        for (int i = at; elf.get(i) != 0; i++) {
            text.append((char) elf.get(i));
        }
        return text.toString();
    }
}
