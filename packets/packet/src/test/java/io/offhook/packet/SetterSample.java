package io.offhook.packet;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Bytes with a view on them, to be set. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SetterSample(String name, byte[] bytes, Place place) {
    /** How a new view gets onto the bytes. */
    @FunctionalInterface
    interface Place {
        /** Null when the bytes are none that the view reads. */
        @Nullable
        Object on(MemorySegment segment);
    }

    static SetterSample of(String name, String hex, Place place) {
        return new SetterSample(name, HexFormat.of().parseHex(hex.replace(" ", "")), place);
    }

    Object on(MemorySegment segment) {
        Object view = place.on(segment);
        if (view == null) {
            throw new AssertionError("no view on " + this);
        }
        return view;
    }

    /** The same, where the bytes may have become others. */
    @Nullable
    Object onChanged(MemorySegment segment) {
        return place.on(segment);
    }

    @Override
    public String toString() {
        return name;
    }
}
