package io.offhook.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigDifferenceTest {
    private static final ConfigKey<Integer> SIZE =
            ConfigKey.of("size", ConfigTypes.integer(0, 0x10000), "16", "A size.");
    private static final ConfigKey<String> NOTE =
            ConfigKey.optional("note", ConfigTypes.text(20), "A note.").whileRunning();
    private static final ConfigSchema<ConfigSection> BOX =
            ConfigSchema.of("box", "A box.", ConfigValues::section, SIZE, NOTE);
    private static final ConfigSchema<ConfigSection> NONE = ConfigSchema.of("none", "Nothing.", ConfigValues::section);
    private static final ConfigKey<List<ConfigSection>> KINDS =
            ConfigKey.repeated("kinds", ConfigTypes.choice(List.of(BOX, NONE)), 1000, "Kinds.");
    private static final ConfigKey<Map<String, ConfigSection>> NAMED =
            ConfigKey.optional("named", ConfigTypes.map(BOX, 10), "Boxes by name.");
    private static final ConfigKey<ConfigSection> ONE = ConfigKey.section("one", BOX, "A box.");
    private static final ConfigSchema<ConfigSection> ALL =
            ConfigSchema.of("all", "All.", ConfigValues::section, KINDS, NAMED, ONE);

    private static ConfigSection read(String text) {
        return ConfigReader.of(ALL).read(text, "f.yaml");
    }

    private static List<String> differences(String before, String after) {
        return ALL.differences(read(before), read(after)).stream()
                .map(ConfigDifference::toString)
                .toList();
    }

    @Test
    void namesTheKeyWithBothValuesAndTheirLines() {
        assertThat(differences("one:\n  size: 17\n", "\n\none:\n  size: 18\n"))
                .containsExactly("f.yaml:4:9: one.size: 18; it was 17 in line 2");
    }

    @Test
    void comparesValuesAndNotHowTheyAreWritten() {
        assertThat(differences("one: {size: 16}", "{}")).isEmpty();
        assertThat(differences("one: {size: 0x20}", "# moved\none:\n  size: 32\n"))
                .isEmpty();
        assertThat(differences("kinds: [none]", "kinds: [{none: {}}]")).isEmpty();
        assertThat(differences("kinds: []", "{}")).isEmpty();
        assertThat(differences("one: {size: 7}", "{}")).containsExactly("f.yaml:1:1: one.size: 16; it was 7 in line 1");
    }

    @Test
    void saysWhatIsNewAndWhatIsGone() {
        assertThat(differences("kinds: [none, box: {size: 2}]", "kinds: [none, box: {size: 1}, box: {size: 2}]"))
                .containsExactly("f.yaml:1:15: kinds[1]: {box: {size: 1}} is new");
        assertThat(differences("kinds: [none, none, box]", "kinds: [box]"))
                .containsExactly(
                        "f.yaml:1:8: kinds[0]: is gone; it was none in line 1",
                        "f.yaml:1:8: kinds[1]: is gone; it was none in line 1");
        assertThat(differences("kinds: [none]", "kinds: [box]"))
                .containsExactly("f.yaml:1:9: kinds[0]: box; it was none in line 1");
        assertThat(differences("named: {a: {}}", "named: {b: {}}"))
                .containsExactly(
                        "f.yaml:1:8: named.a: is gone; it was {} in line 1", "f.yaml:1:12: named.b: {} is new");
        assertThat(differences("named: {a: {}, b: {}}", "named: {b: {}, a: {}}"))
                .hasSize(1);
    }

    @Test
    void tellsWhatMayChangeFromWhatMayNot() {
        List<ConfigDifference> differences = ALL.differences(
                read("kinds: [box: {note: x}, box: {size: 2}]"), read("kinds: [box: {note: y}, box: {size: 3}]"));
        assertThat(differences).extracting(ConfigDifference::mayChange).containsExactly(true, false);
        assertThat(differences)
                .extracting(difference -> difference.place().path())
                .containsExactly("kinds[0].box.note", "kinds[1].box.size");
        // one that differs in what may change only is still the same item
        assertThat(differences("kinds: [box: {note: x}]", "kinds: [none, box: {note: y}]"))
                .containsExactly(
                        "f.yaml:1:9: kinds[0]: none is new", "f.yaml:1:27: kinds[1].box.note: y; it was x in line 1");
    }

    @Test
    void hasWhatTheEnvironmentAndTheCommandLineGaveInPlaceOfTheFile() {
        ConfigSection before = read("one: {size: 5}");
        ConfigSection after =
                ConfigReader.of(ALL).argument("one.size", "6", "--size").read("one: {size: 5}", "f.yaml");
        assertThat(ALL.differences(before, after))
                .singleElement()
                .hasToString("option --size: one.size: 6; it was 5 in line 1");
        assertThat(ALL.differences(after, before))
                .singleElement()
                .hasToString("f.yaml:1:13: one.size: 5; it was 6 in option --size");
    }

    @Test
    void longListsAreComparedByTheirIndex() {
        String many = "none, ".repeat(400);
        assertThat(differences("kinds: [" + many + "box: {size: 1}]", "kinds: [" + many + "box: {size: 2}]"))
                .containsExactly("f.yaml:1:2421: kinds[400].box.size: 2; it was 1 in line 1");
    }

    @Test
    void longValuesAreCut() {
        String long1 = "kinds: [" + "box, ".repeat(50) + "box]";
        assertThat(differences(long1.replace("box", "none"), "kinds: []")).hasSize(51);
        assertThat(differences("{}", "named: {a: {note: abcdefghijklmnopqrst}}").getFirst())
                .hasSizeLessThan(200);
    }

    @Test
    void theTableSaysWhatIsReloaded() {
        assertThat(ConfigTable.markdown(BOX)).contains("| A note. Reloaded. |", "| A size. |");
    }

    @Test
    void twoKindsHaveTwoNames() {
        assertThatThrownBy(() -> ConfigTypes.choice(List.of(BOX, BOX))).hasMessage("two kinds are named box");
    }

    @Test
    void oneOfSomeValuesIsNamed() {
        ConfigKey<Integer> key = ConfigKey.required("k", ConfigTypes.oneOf(Map.of("one", 1)), "A value.");
        ConfigSchema<Integer> schema = ConfigSchema.of("s", "S.", values -> values.get(key), key);
        assertThat(ConfigReader.of(schema).read("k: one", "f.yaml")).isEqualTo(1);
        assertThatThrownBy(() -> ConfigReader.of(schema).read("k: ane", "f.yaml"))
                .hasMessage("f.yaml:1:4: k: \"ane\" is not known; did you mean \"one\"?");
    }

    @Test
    void theSameKeysMayBecomeSomethingElse() {
        ConfigSchema<String> text =
                BOX.with((section, place) -> place + " " + section.place().path());
        assertThat(ConfigReader.of(text).read("size: 3", "f.yaml")).isEqualTo("f.yaml:1:1 ");
        assertThat(text.keys()).isEqualTo(BOX.keys());
    }
}
