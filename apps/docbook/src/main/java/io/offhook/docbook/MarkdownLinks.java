package io.offhook.docbook;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The headings of a document in Markdown, and the anchors that GitHub makes of them: their words, and a number if they repeat. */
final class MarkdownLinks {
    /** By full name of the element under the heading. */
    private final Map<String, String> anchors = new LinkedHashMap<>();

    private final Map<String, Integer> uses = new HashMap<>();

    /**
     * Notes the next heading.
     *
     * @param id full name of what it is about; empty if it is only text
     */
    void heading(String text, String id) {
        StringBuilder anchor = new StringBuilder();
        text.toLowerCase(Locale.ROOT).codePoints().forEach(c -> {
            if (Character.isLetterOrDigit(c) || c == '-' || c == '_') {
                anchor.appendCodePoint(c);
            } else if (c == ' ') {
                anchor.append('-');
            }
        });
        int before = uses.merge(anchor.toString(), 1, Integer::sum) - 1;
        if (!id.isEmpty()) {
            anchors.put(id, before == 0 ? anchor.toString() : anchor + "-" + before);
        }
    }

    /** The anchor of an element, for a field or value that of its message or enum; null if the document does not have it. */
    @Nullable
    String anchor(String id) {
        String anchor = anchors.get(id);
        int dot = id.lastIndexOf('.');
        return anchor != null || dot < 0 ? anchor : anchors.get(id.substring(0, dot));
    }
}
