package io.offhook.analysis;

import io.offhook.calls.CallReports;
import io.offhook.packet.Endpoint;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything that a result says, one line a figure, so that two results can be compared to the last of them. */
final class Figures {
    private static final ClassValue<List<Method>> METHODS = new ClassValue<>() {
        @Override
        protected List<Method> computeValue(Class<?> type) {
            return figures(type);
        }
    };

    private final List<String> lines = new ArrayList<>();

    private Figures() {}

    static List<String> of(AnalysisResult result) {
        Figures figures = new Figures();
        figures.add("", result);
        return figures.lines;
    }

    /** The figures of calls and streams. */
    static List<String> of(List<?> calls, List<?> streams) {
        Figures figures = new Figures();
        figures.add(".calls", calls);
        figures.add(".streams", streams);
        return figures.lines;
    }

    /** Likewise of reports that were made without an analysis. */
    static List<String> of(CallReports reports) {
        Figures figures = new Figures();
        figures.add("calls", reports.calls());
        figures.add("streams", reports.streams());
        figures.add("registrations", reports.registrations());
        figures.add("rtpPackets", reports.rtpPackets());
        figures.add("failed", reports.failedReports());
        figures.add("defect", reports.defect());
        return figures.lines;
    }

    private void add(String path, @Nullable Object value) {
        if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                add(path + "[" + i + "]", list.get(i));
            }
        } else if (value instanceof long[] numbers) {
            lines.add(path + " = " + Arrays.toString(numbers));
        } else if (value instanceof Endpoint || value == null || !isOurs(value)) {
            lines.add(path + " = " + value);
        } else {
            for (Method figure : METHODS.get(value.getClass())) {
                try {
                    add(path + "." + figure.getName(), figure.invoke(value));
                } catch (ReflectiveOperationException e) {
                    throw new LinkageError(path + "." + figure.getName(), e);
                }
            }
        }
    }

    private static boolean isOurs(Object value) {
        return value.getClass().getName().startsWith("io.offhook.") && !(value instanceof Enum<?>);
    }

    private static List<Method> figures(Class<?> type) {
        if (type.isRecord()) {
            return Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getAccessor)
                    .toList();
        }
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers())
                        && !Modifier.isStatic(method.getModifiers())
                        && method.getParameterCount() == 0
                        && method.getReturnType() != void.class
                        && !method.getName().equals("hashCode")
                        && !method.getName().equals("toString"))
                .sorted(Comparator.comparing(Method::getName))
                .toList();
    }
}
