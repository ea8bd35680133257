package io.offhook.packet;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A setter of a view, by the one rule there is for them: it has the accessor's name, without "is" or "has", takes an index
 * where the accessor takes one, then the value, of 128 bits as two, and returns the view.
 */
public record ViewSetter(Method method) {
    private static final List<Long> EXTREMES =
            List.of(-1L, 0L, 1L, (long) Integer.MAX_VALUE, (long) Integer.MIN_VALUE, 1L << 48, Long.MAX_VALUE);

    static List<ViewSetter> of(Class<?> view) {
        return methods(view).stream()
                .filter(method -> method.getReturnType() == view)
                .map(ViewSetter::new)
                .toList();
    }

    /** The public methods of a view, those that it inherits too. */
    static List<Method> methods(Class<?> view) {
        return Arrays.stream(view.getMethods())
                .filter(method -> method.getDeclaringClass() != Object.class)
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .toList();
    }

    /** Whether a method reads a number or a flag, for an index or without one. */
    static boolean isAccessor(Method method) {
        Class<?> type = method.getReturnType();
        Class<?>[] parameters = method.getParameterTypes();
        return (type == int.class || type == long.class || type == boolean.class)
                && (parameters.length == 0 || parameters.length == 1 && parameters[0] == int.class)
                && !method.getName().equals("next");
    }

    String name() {
        return method.getName();
    }

    /** A value as two longs. */
    private boolean isWide() {
        Class<?>[] types = method.getParameterTypes();
        return types.length >= 2 && types[types.length - 2] == long.class;
    }

    boolean isIndexed() {
        return method.getParameterCount() - (isWide() ? 2 : 1) == 1;
    }

    boolean sets(Method accessor) {
        return accessor.getParameterCount() == (isIndexed() ? 1 : 0) && isNameOf(accessor);
    }

    private boolean isNameOf(Method accessor) {
        String capitalised = Character.toUpperCase(name().charAt(0)) + name().substring(1);
        List<String> names = isWide()
                ? List.of(name() + "High", name() + "Low")
                : valueType() == boolean.class
                        ? List.of(name(), "is" + capitalised, "has" + capitalised)
                        : List.of(name());
        boolean isFlag = accessor.getReturnType() == boolean.class;
        return names.contains(accessor.getName()) && isFlag == (valueType() == boolean.class);
    }

    private Class<?> valueType() {
        return method.getParameterTypes()[method.getParameterCount() - 1];
    }

    /** Arguments of every width, so that narrow fields get many that they can hold. */
    Object[] draw(Random random, int round) {
        Class<?>[] types = method.getParameterTypes();
        Object[] values = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            boolean isIndex = isIndexed() && i == 0;
            values[i] = isIndex ? (Object) (random.nextInt(4) - 1) : draw(random, round, types[i]);
        }
        return values;
    }

    private static Object draw(Random random, int round, Class<?> type) {
        if (type == boolean.class) {
            return random.nextBoolean();
        }
        long value;
        if (round < EXTREMES.size()) {
            value = EXTREMES.get(round);
        } else if (random.nextInt(4) == 0) {
            value = 8L * random.nextInt(10);
        } else {
            value = random.nextLong() >>> random.nextInt(64);
        }
        if (type == long.class) {
            return value;
        }
        return (int) (round < EXTREMES.size() ? value : value & 0xff_ffff);
    }

    /** What it threw, or null. */
    @SuppressWarnings("ReferenceEquality") // the view itself, and not one that is equal
    @Nullable
    Throwable set(Object view, Object... values) {
        try {
            Object returned = method.invoke(view, values);
            if (returned != view) {
                throw new AssertionError(this + " does not return the view");
            }
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (IllegalAccessException e) {
            throw new LinkageError(toString(), e);
        }
    }

    /** What the accessors read, in the form of {@link #written}. */
    List<Object> get(Object view, Object... values) {
        List<Method> accessors = methods(method.getDeclaringClass()).stream()
                .filter(accessor -> isAccessor(accessor) && sets(accessor))
                .sorted((one, other) -> one.getName().compareTo(other.getName())) // high before low
                .toList();
        if (accessors.isEmpty()) {
            throw new AssertionError("nothing reads what " + this + " sets");
        }
        return accessors.stream()
                .map(accessor -> wide(call(view, accessor, isIndexed() ? new Object[] {values[0]} : new Object[0])))
                .toList();
    }

    List<Object> written(Object... values) {
        return Arrays.stream(values, isIndexed() ? 1 : 0, values.length)
                .map(ViewSetter::wide)
                .toList();
    }

    private static Object wide(Object value) {
        return value instanceof Number number ? (Object) number.longValue() : value;
    }

    /** Every accessor of the view, by name: none of them may fail. */
    public static Map<String, Object> readAll(Object view) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Method method : methods(view.getClass())) {
            if (isAccessor(method) && method.getParameterCount() == 0) {
                values.put(method.getName(), call(view, method));
            }
        }
        return values;
    }

    private static Object call(Object view, Method accessor, Object... arguments) {
        try {
            return accessor.invoke(view, arguments);
        } catch (InvocationTargetException e) {
            throw new AssertionError(accessor + " failed", e.getCause());
        } catch (IllegalAccessException e) {
            throw new LinkageError(accessor.toString(), e);
        }
    }

    @Override
    public String toString() {
        return name() + Arrays.toString(method.getParameterTypes());
    }
}
