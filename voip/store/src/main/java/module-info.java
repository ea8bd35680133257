/** Calls and their streams in a database on disk. */
module io.offhook.store {
    requires transitive io.offhook.report;
    requires duckdb.jdbc;
    requires java.sql;
    requires static transitive org.jspecify;

    exports io.offhook.store;
    exports io.offhook.store.query;
}
