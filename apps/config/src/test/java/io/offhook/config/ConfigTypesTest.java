package io.offhook.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigTypesTest {
    private static <T> T parse(ConfigType<T> type, String text) {
        return ((ScalarType<T>) type).parse(text);
    }

    @ParameterizedTest
    @CsvSource({"64MiB, 67108864", "1.5kB, 1500", "0B, 0", "1 GiB, 1073741824"})
    void readsSizes(String text, long bytes) {
        assertThat(parse(ConfigTypes.bytes(0, 1L << 40), text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"10ms, 10000000", "1.5s, 1500000000", "2m, 120000000000", "7ns, 7", "3us, 3000", "1h, 3600000000000"})
    void readsDurations(String text, long ns) {
        assertThat(parse(ConfigTypes.durationNs(0, Long.MAX_VALUE), text)).isEqualTo(ns);
    }

    @ParameterizedTest
    @CsvSource({"10kpps, 10000, false", "100Mbps, 100000000, true", "1.5Gbps, 1500000000, true", "7pps, 7, false"})
    void readsRates(String text, long perSecond, boolean isBits) {
        assertThat(parse(ConfigTypes.rate(), text)).isEqualTo(new ConfigTypes.Rate(perSecond, isBits));
    }

    @ParameterizedTest
    @CsvSource({"5", "5 parsecs", "-1s", "1e3s", "''", "s", "0.1ns", "999999999999999999h"})
    void refusesWhatIsNoDuration(String text) {
        assertThatThrownBy(() -> parse(ConfigTypes.durationNs(0, Long.MAX_VALUE), text))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void namesRangesInTheirUnits() {
        assertThat(ConfigTypes.bytes(0, 64 << 20).label()).isEqualTo("size, 0B to 64MiB");
        assertThat(ConfigTypes.durationNs(1_000_000, 3_600_000_000_000L).label())
                .isEqualTo("duration, 1ms to 1h");
        assertThatThrownBy(() -> parse(ConfigTypes.bytes(1024, 64 << 20), "1B"))
                .hasMessage("1B is outside 1KiB to 64MiB");
        assertThatThrownBy(() -> parse(ConfigTypes.rate(), "0pps")).hasMessageContaining("outside");
    }

    @Test
    void findsTheNearestName() {
        assertThat(NearestName.distance("filter", "fitler")).isEqualTo(1);
        assertThat(NearestName.distance("", "abc")).isEqualTo(3);
        assertThat(NearestName.unknown("brigde", List.of("bridge", "router"), ""))
                .endsWith("did you mean \"bridge\"?");
        assertThat(NearestName.unknown("x", List.of("bridge"), "one of bridge")).endsWith("one of bridge");
    }

    private record Stage(String kind, int value) {}

    private static final ConfigKey<Integer> VALUE = ConfigKey.of("value", ConfigTypes.integer(0, 9), "4", "A value.");
    private static final ConfigType<Stage> STAGE = ConfigTypes.choice(List.of(
            ConfigSchema.of("first", "The first kind.", values -> new Stage("first", values.get(VALUE)), VALUE),
            ConfigSchema.of("second", "The second kind.", _ -> new Stage("second", 0))));
    private static final ConfigKey<List<Stage>> STAGES = ConfigKey.repeated("stages", STAGE, 10, "What is done.");
    private static final ConfigSchema<List<Stage>> PROGRAM =
            ConfigSchema.of("program", "A program.", values -> values.get(STAGES), STAGES);

    @Test
    void choosesAmongKinds() {
        String text = "stages:\n  - second\n  - first: {value: 7}\n  - first:\n  - first\n";
        assertThat(ConfigReader.of(PROGRAM).read(text, "f"))
                .containsExactly(
                        new Stage("second", 0), new Stage("first", 7), new Stage("first", 4), new Stage("first", 4));
        assertThatThrownBy(() -> ConfigReader.of(PROGRAM)
                        .read(
                                "stages: [frist, {first: 1, second: 2}, {second: {value: 1}}, {first: {value: 10}}, [1]]",
                                "f"))
                .hasMessage("""
                        f:1:10: stages[0]: "frist" is not known; did you mean "first"?
                        f:1:17: stages[1]: is keys with values and should be one of first, second, with its keys
                        f:1:50: stages[2].second.value: "value" is not known; there are no keys here
                        f:1:78: stages[3].first.value: 10 is outside 0 to 9
                        f:1:84: stages[4]: is a list and should be one of first, second, with its keys""");
    }

    @Test
    void writesItsDescriptionDown() {
        assertThat(ConfigTable.markdown(PROGRAM)).isEqualTo("""
                A program.

                | key | type | default | meaning |
                |---|---|---|---|
                | `stages` | list of: one of first, second | none | What is done. |

                ### `stages[].first`

                The first kind.

                | key | type | default | meaning |
                |---|---|---|---|
                | `value` | integer, 0 to 9 | 4 | A value. |

                ### `stages[].second`

                The second kind.
                """);
    }
}
