/**
 * Requests to {@code offhook serve} as its page sends them, at a rate of their own and not at that of the answers.
 *
 * <p>Begins at {@link io.offhook.bench.web.ApiLoad}, which {@code lab/bench/serve-load} runs beside a flood of packets.
 */
@NullMarked
package io.offhook.bench.web;

import org.jspecify.annotations.NullMarked;
