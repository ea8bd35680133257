package io.offhook.monitor.recording;

import io.offhook.monitor.ThreadProfile;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Hot methods and allocation since something was written of them, by the index of the thread. */
final class ProfileSums {
    /** Of a look as it was read; more are one. */
    static final int MOST_METHODS = 100;

    /** Of a mean. */
    static final int MOST_OF_A_MEAN = 10;

    private final Map<Integer, ThreadProfile> sums = new HashMap<>();
    private final ProfileRecords records = new ProfileRecords();

    void add(int index, ThreadProfile profile) {
        sums.merge(index, profile, ThreadProfile::plus);
    }

    /** Appends what there is, if anything, with so many methods of each thread. */
    void write(int most, RecordSink to) throws IOException {
        if (!sums.isEmpty()) {
            sums.replaceAll((_, profile) -> profile.withMost(most));
            records.write(sums, to);
        }
    }

    /** It was written, or will not be. */
    void forget() {
        sums.clear();
    }

    /** What was written may be gone. */
    void writeAgain() {
        records.writeAgain();
    }
}
