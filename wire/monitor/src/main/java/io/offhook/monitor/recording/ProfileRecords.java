package io.offhook.monitor.recording;

import io.offhook.monitor.ThreadProfile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Hot methods and allocation as records have them: names of methods once, and numbers of them with each look. */
final class ProfileRecords {
    /** From here on, methods are numbered anew: some programs make classes as they run. */
    static final int MOST_NUMBERED = 4096;

    private static final int NS_A_US = 1000;

    private final Map<String, Integer> numbers = new HashMap<>();
    private final RecordBytes payload = new RecordBytes();
    private final RecordBytes name = new RecordBytes();

    /** Appends a look, the names that it needs first. */
    void write(Map<Integer, ThreadProfile> profiles, RecordSink to) throws IOException {
        if (numbers.size() >= MOST_NUMBERED) {
            numbers.clear();
        }
        payload.clear();
        payload.number(profiles.size());
        int before = -1;
        for (Map.Entry<Integer, ThreadProfile> row : new TreeMap<>(profiles).entrySet()) {
            ThreadProfile profile = row.getValue();
            payload.number(row.getKey() - before - 1L).number(profile.samples());
            payload.number(profile.methods().size());
            for (ThreadProfile.HotMethod method : profile.methods()) {
                payload.number(number(method.name(), to)).number(method.samples());
            }
            payload.number(profile.allocatedBytes()).number(profile.allocationNs() / NS_A_US);
            before = row.getKey();
        }
        to.add(RecordKind.PROFILES, payload);
    }

    private int number(String method, RecordSink to) throws IOException {
        Integer known = numbers.get(method);
        if (known == null) {
            known = numbers.size();
            numbers.put(method, known);
            name.clear();
            name.number(known).text(method);
            to.add(RecordKind.METHOD, name);
        }
        return known;
    }

    /** What was written may be gone. */
    void writeAgain() {
        numbers.clear();
    }

    /** The names of methods that were read, by number. */
    static final class Names {
        private final Map<Integer, String> names = new HashMap<>();

        void add(RecordCursor cursor) {
            int number = cursor.count();
            names.put(number, cursor.text());
        }

        /** Reads a look, by the index of the thread. */
        Map<Integer, ThreadProfile> read(RecordCursor cursor) {
            Map<Integer, ThreadProfile> profiles = new HashMap<>();
            int before = -1;
            for (int left = cursor.count(); left > 0 && !cursor.isShort(); left--) {
                before += 1 + cursor.count();
                long samples = Math.max(0, cursor.number());
                List<ThreadProfile.HotMethod> methods = new ArrayList<>();
                for (int more = cursor.count(); more > 0 && !cursor.isShort(); more--) {
                    String method = names.getOrDefault(cursor.count(), "(unknown)");
                    methods.add(new ThreadProfile.HotMethod(method, Math.max(0, cursor.number())));
                }
                long bytes = Math.max(0, cursor.number());
                long ns = Math.max(0, cursor.number()) * NS_A_US;
                profiles.put(before, new ThreadProfile(samples, List.copyOf(methods), bytes, ns));
            }
            return profiles;
        }
    }
}
