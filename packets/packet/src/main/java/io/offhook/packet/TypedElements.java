package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * A list of options or chunks that has accessors for the fields of each type of element, over {@link TypeLengthValues}.
 *
 * <p>{@code while (options.next()) switch (options.type()) ...}. Padding and end marks are stepped over. An element
 * whose length is impossible, or that extends beyond the captured bytes, ends the iteration; {@link #isMalformed()}
 * then says so. The accessors of a type read 0 on an element of another type, or one too short for its own. Setters
 * refuse such an element ({@link IllegalStateException}) and a value that the field cannot hold ({@link
 * IllegalArgumentException}); they leave checksums as they are.
 *
 * <p>A borrowed window: reusable, single-threaded, and valid only as long as the wrapped bytes.
 *
 * @param <E> the list's own class, which its setters return
 */
public abstract class TypedElements<E extends TypedElements<E>> {
    /** The elements; wrapped by {@link #wrap}. */
    protected final TypeLengthValues list;

    /** Creates an iterator over elements of that form. */
    protected TypedElements(TypeLengthValues.Form form) {
        list = new TypeLengthValues(form);
    }

    /** Moves before the first element of a list of {@code length} bytes. */
    public final void wrap(MemorySegment segment, long offset, int length) {
        list.wrap(segment, offset, length);
    }

    /** Moves to the next element; false if there is none. */
    public final boolean next() {
        return list.next();
    }

    /** Whether the iteration ended on an element whose length is impossible. */
    public final boolean isMalformed() {
        return list.isMalformed();
    }

    /** The length of the element with its type and length, without padding, in bytes. */
    public final int length() {
        return list.length();
    }

    /**
     * Sets a field of the element.
     *
     * @param isOfType whether the type of the element has the field
     * @param inValue the offset of the field in the value, in bytes
     * @param from its first bit, 0 for the highest of that byte
     * @param bits its width, 1 to 48, or 64
     */
    @SuppressWarnings("unchecked") // each list names its own class
    protected final E put(String field, boolean isOfType, int inValue, int from, int bits, long value) {
        FieldRange.require(field, isOfType && 8 * (list.valueLength() - inValue) >= from + bits);
        if (bits == 64) {
            NetworkOrder.putBits64(list.segment(), list.valueOffset() + inValue, value);
        } else {
            FieldBits.put(list.segment(), list.valueOffset() + inValue, from, bits, field, value);
        }
        return (E) this;
    }
}
