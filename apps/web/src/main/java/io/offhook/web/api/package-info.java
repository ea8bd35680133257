/**
 * The interface for programs, the page among them: {@link io.offhook.web.api.Api} has the paths below {@code /api/v1}, one
 * class each for calls, streams, totals and so on. They ask the database by SQL with parameters, within the limits of
 * {@link io.offhook.web.data.ReadConnections}.
 */
@NullMarked
package io.offhook.web.api;

import org.jspecify.annotations.NullMarked;
