package io.offhook.proxy.media;

import io.offhook.config.ConfigFaults;
import io.offhook.config.ConfigTypes.Placed;
import java.util.List;
import java.util.Set;

/** Checks that the names in the rules of a {@link MediaConfig} exist. */
public final class MediaChecks {
    private MediaChecks() {}

    /**
     * Reports names that nothing has.
     *
     * @param trunks the names of all trunks
     * @param groups the names of all groups
     */
    public static void check(MediaConfig config, Set<String> trunks, Set<String> groups, ConfigFaults faults) {
        for (MediaRule rule : config.calls()) {
            known(rule.fromTrunks(), trunks, "trunk", faults);
            known(rule.toGroups(), groups, "group", faults);
            if (rule.profile() != null) {
                known(List.of(rule.profile()), config.profiles().keySet(), "profile", faults);
            }
        }
    }

    private static void known(List<Placed<String>> names, Set<String> all, String what, ConfigFaults faults) {
        for (Placed<String> name : names) {
            if (!all.contains(name.value())) {
                String known = all.isEmpty()
                        ? "there are none"
                        : "there are " + String.join(", ", all.stream().sorted().toList());
                faults.add(name.place(), "there is no " + what + " " + name.value() + "; " + known);
            }
        }
    }
}
