package io.offhook.cluster.operator;

import io.offhook.calls.CallReport;

/**
 * A report of a call.
 *
 * @param callIdHash of its Call-ID
 * @param version 1 for the first report of it; a higher one replaces a lower one
 * @param call the report
 */
public record CallResult(long callIdHash, long version, CallReport call) {}
