package io.offhook.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Tries a view's setter against the accessor of its name. */
final class ViewSetters {
    private ViewSetters() {}

    static boolean isSetter(Method method) {
        Class<?>[] types = method.getParameterTypes();
        return Modifier.isPublic(method.getModifiers())
                && method.getReturnType() == method.getDeclaringClass()
                && types.length == 1
                && (types[0] == int.class || types[0] == long.class || types[0] == boolean.class);
    }

    static void check(Object view, Method setter, MemorySegment segment, String about) {
        Method getter = getter(view, setter);
        String what = about + ": " + setter.getName();
        byte[] before = segment.toArray(ValueLayout.JAVA_BYTE);
        Object original = invoke(view, getter);
        if (original instanceof Boolean flag) {
            set(view, setter, !flag);
            assertThat(invoke(view, getter)).as(what).isEqualTo(!flag);
        } else if (!setNumbers(view, setter, getter, what)) {
            assertThat(segment.toArray(ValueLayout.JAVA_BYTE)).as(what).isEqualTo(before);
            return; // this header has no such field
        }
        set(view, setter, original);
        assertThat(segment.toArray(ValueLayout.JAVA_BYTE))
                .as(what + " and back")
                .isEqualTo(before);
    }

    private static boolean setNumbers(Object view, Method setter, Method getter, String what) {
        boolean isLong = setter.getParameterTypes()[0] == long.class;
        int accepted = 0;
        int refused = 0;
        for (int bit = 0; bit < (isLong ? 63 : 31); bit++) {
            long value = 1L << bit;
            Object argument = number(value, isLong);
            IllegalArgumentException refusal = set(view, setter, argument);
            if (refusal == null) {
                assertThat(refused)
                        .as("%s to %d after a lower value was refused", what, value)
                        .isZero();
                assertThat(((Number) invoke(view, getter)).longValue()).as(what).isEqualTo(value);
                accepted++;
            } else if (accepted > 0) {
                refused++;
                assertThat(refusal).hasMessageContaining(setter.getName()).hasMessageContaining(Long.toString(value));
            }
        }
        if (accepted == 0) {
            return false;
        }
        if (refused > 0) {
            assertThat(set(view, setter, number(-1, isLong)))
                    .as(what + " to -1")
                    .isNotNull();
        }
        return true;
    }

    private static Object number(long value, boolean isLong) {
        if (isLong) {
            return value;
        }
        return (int) value;
    }

    private static Method getter(Object view, Method setter) {
        String name = setter.getName();
        String capitalised = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        for (String candidate : new String[] {name, "is" + capitalised, "has" + capitalised}) {
            for (Method method : view.getClass().getMethods()) {
                if (method.getName().equals(candidate) && method.getParameterCount() == 0) {
                    return method;
                }
            }
        }
        throw new AssertionError("no accessor for " + setter);
    }

    private static Object invoke(Object view, Method getter) {
        try {
            return getter.invoke(view);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(getter.toString(), e);
        }
    }

    /** What it threw. */
    private static @Nullable IllegalArgumentException set(Object view, Method setter, Object value) {
        try {
            setter.invoke(view, value);
            return null;
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refusal) {
                return refusal;
            }
            throw new AssertionError(setter + " with " + value, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(setter.toString(), e);
        }
    }
}
