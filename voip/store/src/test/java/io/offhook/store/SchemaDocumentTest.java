package io.offhook.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** docs/SCHEMA.md against the tables. */
class SchemaDocumentTest {
    private static final Path DOCUMENT = Path.of("../../docs/SCHEMA.md");
    private static final String BEGIN = "<!-- tables -->\n";

    private static String tables() {
        StringBuilder out = new StringBuilder();
        for (Table<?> table : Schema.TABLES) {
            out.append("\n## ").append(table.name()).append("\n\n").append(table.meaning());
            out.append("\n\n| column | type | meaning |\n|---|---|---|\n");
            for (Column<?> column : table.columns()) {
                out.append("| `").append(column.name()).append("` | ").append(column.type());
                out.append(" | ").append(column.meaning()).append(" |\n");
            }
        }
        return out.toString();
    }

    /** With {@code -Doffhook.write=true}, it is written. */
    @Test
    void listsAllColumns() throws Exception {
        String text = Files.readString(DOCUMENT);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        String expected = text.substring(0, begin) + tables();
        if (Boolean.getBoolean("offhook.write")) {
            Files.writeString(DOCUMENT, expected);
        }
        assertThat(text).isEqualTo(expected);
    }
}
