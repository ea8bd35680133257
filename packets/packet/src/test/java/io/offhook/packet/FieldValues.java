package io.offhook.packet;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;

/** The fields that a protocol reports, by name, without those that are bytes. */
class FieldValues implements FieldVisitor {
    final Map<String, Object> values = new LinkedHashMap<>();

    @Override
    public void layer(String label, int position, int headerLength, boolean isCut) {}

    @Override
    public void number(String name, long value) {
        values.put(name, value);
    }

    @Override
    public void flag(String name, boolean value) {
        values.put(name, value);
    }

    @Override
    public void text(String name, String value) {
        values.put(name, value);
    }

    @Override
    public void bytes(String name, MemorySegment segment, long offset, int length) {}
}
