/** Calls and streams as programs and people read them: fields, JSON, CSV, and the words for what was wrong. */
module io.offhook.report {
    requires transitive io.offhook.calls;
    requires tools.jackson.core;
    requires static transitive org.jspecify;

    exports io.offhook.report;
    exports io.offhook.report.fields;
    exports io.offhook.report.text;
}
