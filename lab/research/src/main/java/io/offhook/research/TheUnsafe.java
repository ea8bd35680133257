package io.offhook.research;

import java.lang.reflect.Field;
import sun.misc.Unsafe;

/**
 * {@link Unsafe}, which reads an address without checks. Its methods for memory are deprecated for removal; here it is the
 * former technique, for comparison. Forks need {@code --sun-misc-unsafe-memory-access=allow}.
 */
public final class TheUnsafe {
    public static final Unsafe UNSAFE = unsafe();

    private TheUnsafe() {}

    private static Unsafe unsafe() {
        try {
            Field field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return (Unsafe) field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
