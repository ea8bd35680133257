package io.offhook.doctor;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Whose a socket is: the lowest process that has it open, found by the links of {@code /proc/PID/fd}. */
final class SocketOwners {
    private static final String LINK = "socket:[";

    private final SystemTree tree;
    /** Those of sockets that are told of; forgotten when a socket is no longer asked for. */
    private final Map<Long, String> known = new HashMap<>();
    /** Looked for in vain: not again and again. */
    private final Set<Long> strangers = new HashSet<>();

    SocketOwners(SystemTree tree) {
        this.tree = tree;
    }

    /**
     * The owners that can be seen: {@code kamailio (1234)} by the socket's inode. Processes of other users show their
     * files to root only.
     */
    Map<Long, String> of(Set<Long> inodes) {
        known.keySet().retainAll(inodes);
        strangers.retainAll(inodes);
        Set<Long> wanted = new HashSet<>(inodes);
        wanted.removeAll(known.keySet());
        wanted.removeAll(strangers);
        if (!wanted.isEmpty()) {
            search(wanted);
            strangers.addAll(wanted);
        }
        return Map.copyOf(known);
    }

    /** @param wanted what is found is taken out */
    private void search(Set<Long> wanted) {
        List<Long> processes = tree.names("/proc").stream()
                .map(Numbers::parse)
                .filter(number -> number != null)
                .sorted()
                .toList();
        int closed = 0;
        for (long process : processes) {
            String folder = "/proc/" + process + "/fd";
            if (!tree.isListable(folder)) {
                closed += tree.exists(folder) ? 1 : 0;
                continue;
            }
            for (String descriptor : tree.names(folder)) {
                String link = tree.link(folder + "/" + descriptor);
                if (link != null && link.startsWith(LINK) && link.endsWith("]")) {
                    Long inode = Numbers.parse(link.substring(LINK.length(), link.length() - 1));
                    if (inode != null && wanted.remove(inode)) {
                        known.put(inode, tree.word("/proc/" + process + "/comm") + " (" + process + ")");
                    }
                }
            }
            if (wanted.isEmpty()) {
                return;
            }
        }
        if (closed > 0 && tree.isThisMachine()) {
            tree.note(
                    "whose " + wanted.size() + (wanted.size() == 1 ? " socket is" : " sockets are"),
                    "/proc/PID/fd",
                    "processes of other users do not show theirs",
                    "run it as root");
        }
    }
}
