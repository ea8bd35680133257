/**
 * Alerts: {@link io.offhook.web.alert.Alerts} asks the database every few seconds how the rules of an
 * {@link io.offhook.web.alert.AlertConfig} stand, and notifies webhooks, commands and mailboxes when an alert is raised, goes on
 * or is cleared. Texts that come from the network are data in all of them.
 */
@NullMarked
package io.offhook.web.alert;

import org.jspecify.annotations.NullMarked;
