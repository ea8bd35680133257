package io.offhook.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigReaderTest {
    private enum Color {
        RED,
        DEEP_BLUE
    }

    private static final ConfigKey<String> NAME =
            ConfigKey.required("name", ConfigTypes.text(15), "What it is called.");
    private static final ConfigKey<Integer> PORT =
            ConfigKey.of("port", ConfigTypes.integer(0, 65_535), "5060", "The port.");
    private static final ConfigKey<Color> COLOR =
            ConfigKey.of("color", ConfigTypes.oneOf(Color.class), "red", "The color.");
    private static final ConfigKey<ConfigTypes.Placed<Integer>> CORE =
            ConfigKey.optional("core", ConfigTypes.placed(ConfigTypes.integer(0, 8191)), "The core.");

    record Item(String name, int port, Color color, ConfigPlace place) {}

    private static final ConfigSchema<Item> ITEM = ConfigSchema.of(
            "item",
            "An item.",
            values -> new Item(values.get(NAME), values.get(PORT), values.get(COLOR), values.place()),
            NAME,
            PORT,
            COLOR,
            CORE);

    private static final ConfigKey<Long> INTERVAL =
            ConfigKey.of("interval", ConfigTypes.durationNs(1_000_000, 3_600_000_000_000L), "1s", "How often.");
    private static final ConfigKey<Boolean> JSON = ConfigKey.of("as-json", ConfigTypes.bool(), "false", "In JSON.");

    record Statistics(long intervalNs, boolean isJson) {}

    private static final ConfigSchema<Statistics> STATISTICS = ConfigSchema.of(
            "statistics",
            "What is told.",
            values -> new Statistics(values.get(INTERVAL), values.get(JSON)),
            INTERVAL,
            JSON);

    private static final ConfigKey<List<Item>> ITEMS = ConfigKey.repeated("items", ITEM, 3, "The items.");
    private static final ConfigKey<Statistics> TOLD = ConfigKey.section("statistics", STATISTICS, "What is told.");
    private static final ConfigKey<Map<String, Long>> SIZES =
            ConfigKey.optional("sizes", ConfigTypes.map(ConfigTypes.bytes(0, 1L << 40), 2), "Sizes by name.");

    record Program(List<Item> items, Statistics statistics) {}

    private static final ConfigSchema<Program> PROGRAM = ConfigSchema.of(
            "program", "A program.", values -> new Program(values.get(ITEMS), values.get(TOLD)), ITEMS, TOLD, SIZES);

    private static ConfigReader<Program> reader() {
        return ConfigReader.of(PROGRAM);
    }

    private static List<String> faults(ConfigReader<?> reader, String text) {
        ConfigException e = catchThrowableOfType(ConfigException.class, () -> reader.read(text, "f.yaml"));
        assertThat(e).as("no fault in " + text).isNotNull();
        assertThat(String.valueOf(e.getMessage()).lines()).hasSize(e.faults().size());
        return e.faults().stream().map(ConfigFault::toString).toList();
    }

    @Test
    void readsWhatIsThereAndTakesDefaultsForTheRest() {
        Program program =
                reader().read("items:\n  - name: a\n    port: 0x1f\n    color: deep-blue\n  - {name: b}\n", "f.yaml");

        assertThat(program.items())
                .containsExactly(
                        new Item("a", 31, Color.DEEP_BLUE, new ConfigPlace("f.yaml", 2, 5, "items[0]")),
                        new Item("b", 5060, Color.RED, new ConfigPlace("f.yaml", 5, 5, "items[1]")));
        assertThat(program.statistics()).isEqualTo(new Statistics(1_000_000_000, false));
        assertThat(reader().read("", "f.yaml").items()).isEmpty();
        assertThat(reader().read("# nothing\n---\n", "f.yaml").items()).isEmpty();
        assertThat(reader().read("statistics:\n", "f.yaml").statistics().isJson())
                .isFalse();
    }

    @Test
    void reportsAllFaultsAtOnceWithTheirPlaces() {
        String text = """
                items:
                  - name: a
                    prot: 1
                  - port: 70000
                    color: blau
                  - name: b
                    port: [1]
                statistics:
                  interval: 10
                  as-json: yes
                sizes: {x: 1MiB, y: 5XB}
                statistics:
                  interval: 1s
                what-is-this: 1
                """;

        assertThat(faults(reader(), text))
                .containsExactly(
                        "f.yaml:3:5: items[0].prot: \"prot\" is not known; did you mean \"port\"?",
                        "f.yaml:4:5: items[1].name: is missing; it is: text",
                        "f.yaml:4:11: items[1].port: 70000 is outside 0 to 65535",
                        "f.yaml:5:12: items[1].color: \"blau\" is not known; one of red, deep-blue",
                        "f.yaml:7:11: items[2].port: is a list and should be: integer, 0 to 65535",
                        "f.yaml:9:13: statistics.interval: \"10\" is not a number with a unit, such as 10ms",
                        "f.yaml:10:12: statistics.as-json: \"yes\" is neither true nor false",
                        "f.yaml:11:21: sizes.y: \"5XB\" is not a number with a unit, such as 64MiB",
                        "f.yaml:12:1: statistics: is repeated; line 8 has it already",
                        "f.yaml:14:1: what-is-this: \"what-is-this\" is not known; known here: items, statistics, sizes");
    }

    @Test
    void refusesWhatDoesNotFitItsType() {
        assertThat(faults(reader(), "items: 5")).containsExactly("f.yaml:1:8: items: is \"5\" and should be a list");
        assertThat(faults(reader(), "items: [5]"))
                .containsExactly("f.yaml:1:9: items[0]: is \"5\" and should be keys with values");
        assertThat(faults(reader(), "statistics: {interval: }"))
                .containsExactly("f.yaml:1:23: statistics.interval: is nothing and should be: duration, 1ms to 1h");
        assertThat(faults(reader(), "items: [{name: a}, {name: a}, {name: a}, {name: a}]"))
                .containsExactly("f.yaml:1:8: items: has 4 items; the limit is 3");
        assertThat(faults(reader(), "sizes: {a: 1B, b: 1B, c: 1B}"))
                .containsExactly("f.yaml:1:8: sizes: has 3 names; the limit is 2");
        assertThat(faults(reader(), "- 1")).containsExactly("f.yaml:1:1: is a list and should be keys with values");
        assertThat(faults(reader(), "items: [{name: a, port: 99999999999999999999}]"))
                .containsExactly("f.yaml:1:25: items[0].port: 99999999999999999999 is outside 0 to 65535");
    }

    @Test
    void reportsWhereYamlEnds() {
        assertThat(faults(reader(), "items:\n  - name: \"a\n"))
                .first()
                .asString()
                .startsWith("f.yaml:3:1: invalid YAML: ");
        assertThat(faults(reader(), "a: 1\n---\nb: 1\n"))
                .anyMatch(fault -> fault.equals("f.yaml:2:1: a second document; the limit is one"));
        assertThat(faults(reader(), "items: *none"))
                .anyMatch(fault -> fault.contains("there is no anchor &none before this alias"));
        assertThat(faults(reader(), "? [a]\n: 1\n")).anyMatch(fault -> fault.equals("f.yaml:1:3: a key must be text"));
    }

    @Test
    void limitsDepthAndWhatAliasesRepeat() {
        String deep = "a: " + "[".repeat(40) + "]".repeat(40);
        assertThat(faults(reader(), deep)).anyMatch(fault -> fault.contains("nested deeper than 32 levels"));

        StringBuilder laughs = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 12; i++) {
            String before = "*a" + (i - 1);
            laughs.append("a").append(i).append(": &a").append(i).append(" [");
            laughs.append(String.join(", ", List.of(before, before, before, before, before, before, before, before)));
            laughs.append("]\n");
        }
        assertThat(faults(reader(), laughs.toString())).anyMatch(fault -> fault.contains("more than 500000 values"));
        assertThat(faults(reader(), "a: &a [*a]"))
                .anyMatch(fault -> fault.contains("there is no anchor &a before this alias"));
    }

    @Test
    void takesAliases() {
        assertThat(reader().read("items:\n  - &one {name: a, port: 7}\n  - *one\n", "f.yaml")
                        .items())
                .extracting(Item::port)
                .containsExactly(7, 7);
    }

    @Test
    void theCommandLineHoldsOverTheEnvironmentOverTheFile() {
        String text = "statistics: {interval: 2s, as-json: true}";
        Map<String, String> environment = Map.of("OFFHOOK_P_STATISTICS_INTERVAL", "3s", "PATH", "/bin");
        ConfigReader<Program> reader = reader().environment("OFFHOOK_P_", environment);
        assertThat(reader.read(text, "f.yaml").statistics()).isEqualTo(new Statistics(3_000_000_000L, true));
        reader.argument("statistics.interval", "4s", "--interval");
        assertThat(reader.read(text, "f.yaml").statistics()).isEqualTo(new Statistics(4_000_000_000L, true));
        assertThat(reader.read("", "f.yaml").statistics()).isEqualTo(new Statistics(4_000_000_000L, false));

        assertThat(faults(reader().environment("OFFHOOK_P_", Map.of("OFFHOOK_P_STATISTICS_AS_JSON", "1")), ""))
                .containsExactly("environment variable OFFHOOK_P_STATISTICS_AS_JSON: statistics.as-json: "
                        + "\"1\" is neither true nor false");
        assertThat(faults(reader().environment("OFFHOOK_P_", Map.of("OFFHOOK_P_STATISTICS_INTERVALL", "1s")), ""))
                .containsExactly(
                        "environment variable OFFHOOK_P_STATISTICS_INTERVALL: \"OFFHOOK_P_STATISTICS_INTERVALL\""
                                + " is not known; did you mean \"OFFHOOK_P_STATISTICS_INTERVAL\"?");
        assertThatThrownBy(() -> reader().argument("items", "x", "--items"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void runsChecksAlsoWhereOtherThingsAreFaulty() {
        ConfigReader<Program> reader = reader().check((program, faults) -> {
            Set<String> names = new HashSet<>();
            for (Item item : program.items()) {
                if (!names.add(item.name())) {
                    faults.add(item.place(), "the name " + item.name() + " is used twice");
                }
            }
            if (!faults.has("statistics")) {
                faults.add(item(program).place(), "statistics are said to be right");
            }
        });
        assertThat(faults(reader, "items: [{name: a}, {name: b, port: x}, {name: a}]\nstatistics: {as-json: 3}"))
                .containsExactly(
                        "f.yaml:1:36: items[1].port: \"x\" is not a whole number",
                        "f.yaml:1:40: items[2]: the name a is used twice",
                        "f.yaml:2:23: statistics.as-json: \"3\" is neither true nor false");
    }

    private static Item item(Program program) {
        return program.items().getFirst();
    }

    @Test
    void readsFilesAndSaysWhyItCannot(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("a.yaml");
        assertThat(faultsOf(file)).containsExactly(file + ": there is no such file");
        Files.write(file, new byte[] {'a', (byte) 0xff});
        assertThat(faultsOf(file)).containsExactly(file + ": is not UTF-8");
        Files.writeString(file, "items: [{name: ä}]\n");
        assertThat(reader().read(file).items()).extracting(Item::name).containsExactly("ä");
        assertThat(faultsOf(folder)).singleElement().asString().startsWith(folder + ": cannot be read");
    }

    private static List<String> faultsOf(Path file) {
        ConfigException e = catchThrowableOfType(ConfigException.class, () -> reader().read(file));
        return e.faults().stream().map(ConfigFault::toString).toList();
    }

    @Test
    void anyTextIsReadOrRefused() {
        Random random = new Random(7);
        String piece = "items: [{name: a, port: 1}]\nstatistics:\n  interval: 2s\n&*!|>%@`-?\t\"'#\u0000\u0085{}[],";
        List<String> refused = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            StringBuilder text = new StringBuilder();
            for (int parts = random.nextInt(12); parts > 0; parts--) {
                int from = random.nextInt(piece.length());
                text.append(piece, from, from + random.nextInt(piece.length() - from + 1));
            }
            try {
                reader().read(text.toString(), "f.yaml");
            } catch (ConfigException e) {
                refused.add(String.valueOf(e.getMessage()));
            }
        }
        assertThat(refused).hasSizeBetween(1000, 2999);
    }

    @Test
    void saysHowManyFaultsItDoesNotList() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 130; i++) {
            text.append("wrong").append(i).append(": 1\n");
        }
        List<String> faults = faults(reader(), text.toString());
        assertThat(faults).hasSize(101);
        assertThat(faults.getLast()).isEqualTo("f.yaml: 30 more faults are not listed");
        assertThat(faults(reader(), "wrong: 1")).hasSize(1);
    }
}
