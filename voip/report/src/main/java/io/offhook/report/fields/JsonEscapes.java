package io.offhook.report.fields;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.CharacterEscapes;
import tools.jackson.core.io.SerializedString;

/**
 * The characters escaped in JSON text: those of RFC 8259, and those that would control a terminal or reverse the direction
 * of text. Programs read the original characters.
 */
public final class JsonEscapes extends CharacterEscapes {
    private static final long serialVersionUID = 1;
    private static final int DELETE = 0x7f;

    private final int[] ascii = CharacterEscapes.standardAsciiEscapesForJSON();

    /** The characters to escape. */
    public JsonEscapes() {
        ascii[DELETE] = CharacterEscapes.ESCAPE_STANDARD;
    }

    @Override
    public int[] getEscapeCodesForAscii() {
        return ascii.clone();
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                new SerializedString(String.format(Locale.ROOT, "\\u%04x", character));
            default -> null;
        };
    }
}
