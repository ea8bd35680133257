package io.offhook.testkit.traffic;

import io.offhook.testkit.truth.Party;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** User parts that belong to nobody: names, and numbers reserved for fiction (555-01xx, Ofcom's drama numbers). */
final class Numbers {
    private static final List<String> NAMES = List.of(
            "alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy", "mallory", "niaj",
            "olivia", "peggy", "rupert", "sybil", "trent", "victor", "walter", "zoe");

    private Numbers() {}

    static String any(Random random, Party party) {
        return switch (random.nextInt(3)) {
            case 0 -> NAMES.get(random.nextInt(NAMES.size()));
            case 1 -> String.format(Locale.ROOT, "+1202555%04d", 100 + random.nextInt(100));
            default ->
                party == Party.CALLER
                        ? String.format(Locale.ROOT, "+442079460%03d", random.nextInt(1000))
                        : String.format(Locale.ROOT, "+441632960%03d", random.nextInt(1000));
        };
    }
}
