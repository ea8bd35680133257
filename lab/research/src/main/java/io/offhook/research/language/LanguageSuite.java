package io.offhook.research.language;

import io.offhook.research.Chart;
import io.offhook.research.Effort;
import io.offhook.research.Measurement;
import io.offhook.research.NativeCode;
import io.offhook.research.Rounds;
import io.offhook.research.Suite;
import io.offhook.research.SuiteResult;
import java.util.ArrayList;
import java.util.List;

/** The same small work by C, by Java, and by Java that calls C for each packet. */
public final class LanguageSuite implements Suite {
    static final String GROUP = "set";
    private static final String QUESTION = """
            Is C faster than Java if both do the same work on packets, and how much of that remains if Java calls C for each
            packet? A round is 100,000 packets of 32 bytes; in each, five fields (of 64, 32, 32, 16 and 8 bits, unsigned) are
            set to random values and multiplied, and the product (64 bits of it) is stored. 1,024 values are drawn in
            advance, because a generator would take longer than the work. There are 1,000 rounds; the clock is read only
            between them.

            C does a round in one call. *Java objects* are kept from round to round, or new for each packet; *Java over native
            memory* sets the C structure through VarHandles. The others call C for each packet, and C sets the fields of the
            structure (JNI, FFM and JNA call the same function), or of a Java object, through JNI. Their first round includes
            linking.
            """;

    private static final List<Chart> CHARTS = List.of(
            new Chart(GROUP, "Five fields set, multiplied, the product put back", "C"),
            new Chart(Rounds.firstRounds(GROUP), "The first round of a process", "Java objects, kept"));

    /** A suite that {@link io.offhook.research.Main} lists. */
    public LanguageSuite() {}

    @Override
    public String name() {
        return "language";
    }

    @Override
    public SuiteResult run(Effort effort) {
        Rounds.Amount amount = new Rounds.Amount(
                LanguageTechniques.PACKETS, effort.pick(100, 3), effort.pick(1000, 5), effort.pick(3, 1));
        String missing = new NativeCode("language").missing();
        List<Measurement> all =
                new Rounds(LanguageTechniques.class, LanguageTechniques.ALL, amount).run(GROUP, missing);
        List<String> remarks = new ArrayList<>();
        if (missing != null) {
            remarks.add("C and what calls it were not measured: " + missing + ".");
        }
        remarks.add(amount.rule());
        return new SuiteResult(name(), "Language", QUESTION, all, CHARTS, remarks).withCosts(LanguageCosts.ALL);
    }
}
