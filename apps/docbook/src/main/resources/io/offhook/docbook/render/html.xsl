<?xml version="1.0" encoding="UTF-8"?>
<!-- A book as one page of HTML, with its style inside: nothing is loaded from elsewhere. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns="http://www.w3.org/1999/xhtml"
                xmlns:d="http://docbook.org/ns/docbook" exclude-result-prefixes="d">
  <xsl:import href="../../../../docbook/xhtml5/docbook.xsl"/>

  <xsl:param name="offhook.css"/>
  <xsl:param name="section.autolabel" select="1"/>
  <xsl:param name="section.label.includes.component.label" select="1"/>
  <xsl:param name="process.empty.source.toc" select="1"/>
  <xsl:param name="generate.toc"/>
  <!-- the plugin's books say by a role what the table of contents lists -->
  <xsl:param name="toc.section.depth" select="if (/*/d:toc/@role = 'files') then 0 else 2"/>
  <xsl:param name="table.borders.with.css" select="0"/>
  <xsl:param name="make.clean.html" select="1"/>
  <xsl:param name="docbook.css.source"/>

  <xsl:param name="generate.consistent.ids" select="1"/>

  <!-- the serializer writes the document type -->
  <xsl:template name="user.preroot"/>

  <xsl:template name="user.head.content">
    <style>
      <xsl:value-of select="$offhook.css" disable-output-escaping="yes"/>
    </style>
  </xsl:template>
</xsl:stylesheet>
