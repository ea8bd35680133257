package io.offhook.rtp;

import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Variants of a record of figures, in each of which one component, at any depth, is zero, empty or missing. */
final class Mutants {
    /** A variant, and which component is gone. */
    record Mutant(String path, Object value) {}

    /** Elements of a list that are tried. */
    private static final int ELEMENTS = 3;

    private Mutants() {}

    /**
     * The paths of all components that hold something themselves: all but records, which are what their components are, unless
     * they may be missing.
     */
    static Set<String> paths(Class<?> type) {
        Set<String> paths = new LinkedHashSet<>();
        addPaths(type.getSimpleName(), type, paths);
        return paths;
    }

    private static void addPaths(String path, Type type, Set<String> paths) {
        if (type instanceof ParameterizedType list) {
            paths.add(path);
            Type element = list.getActualTypeArguments()[0];
            if (element instanceof Class<?> each && each.isRecord()) {
                addPaths(path + "[]", element, paths);
            }
        } else if (type instanceof Class<?> record && record.isRecord() && isFigures(record)) {
            for (RecordComponent component : record.getRecordComponents()) {
                String name = path + "." + component.getName();
                if (isNullable(component)) {
                    paths.add(name);
                }
                addPaths(name, component.getGenericType(), paths);
            }
        } else {
            paths.add(path);
        }
    }

    private static boolean isNullable(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    private static boolean isFigures(Class<?> type) {
        return type.getName().startsWith("io.offhook.rtp.figures.");
    }

    static List<Mutant> of(Record figures) {
        List<Mutant> mutants = new ArrayList<>();
        add(figures.getClass().getSimpleName(), figures, mutants);
        return mutants;
    }

    private static void add(String path, Record figures, List<Mutant> mutants) {
        RecordComponent[] components = figures.getClass().getRecordComponents();
        for (int i = 0; i < components.length; i++) {
            int at = i;
            String name = path + "." + components[i].getName();
            Object value = get(figures, components[i]);
            List<Mutant> inside = new ArrayList<>();
            if (value instanceof Record record && isFigures(record.getClass())) {
                add(name, record, inside);
                if (isNullable(components[i])) {
                    inside.add(new Mutant(name, Mutants.class));
                }
            } else if (value instanceof List<?> list) {
                addElements(name, list, inside);
            } else if (value != null) {
                Object gone = gone(value);
                if (!value.equals(gone)) {
                    inside.add(new Mutant(name, gone == null ? Mutants.class : gone));
                }
            }
            for (Mutant mutant : inside) {
                mutants.add(new Mutant(mutant.path(), with(figures, at, mutant.value())));
            }
        }
    }

    private static void addElements(String name, List<?> list, List<Mutant> mutants) {
        if (!list.isEmpty()) {
            mutants.add(new Mutant(name, List.of()));
        }
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < Math.min(ELEMENTS, list.size()); i++) {
            places.add(i);
            places.add(list.size() - 1 - i);
        }
        for (int place : new LinkedHashSet<>(places)) {
            if (list.get(place) instanceof Record record) {
                List<Mutant> inside = new ArrayList<>();
                add(name + "[]", record, inside);
                for (Mutant mutant : inside) {
                    List<Object> other = new ArrayList<>(list);
                    other.set(place, mutant.value());
                    mutants.add(new Mutant(mutant.path(), other));
                }
            }
        }
    }

    private static Object get(Record figures, RecordComponent component) {
        try {
            return component.getAccessor().invoke(figures);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(component.getName(), e);
        }
    }

    /** What stands for nothing in the place of a value; null if nothing else does. */
    private static @Nullable Object gone(Object value) {
        return switch (value) {
            case Integer _ -> 0;
            case Long _ -> 0L;
            case Boolean _ -> false;
            case Double _ -> 0.0;
            case Float _ -> 0f;
            case String _ -> "";
            case Enum<?> constant -> constant.getDeclaringClass().getEnumConstants()[0];
            default -> null;
        };
    }

    private static Record with(Record figures, int at, Object value) {
        RecordComponent[] components = figures.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = i == at ? value == Mutants.class ? null : value : get(figures, components[i]);
        }
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<?> constructor = figures.getClass().getDeclaredConstructor(types);
            return (Record) constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(figures.getClass().getName(), e);
        }
    }
}
