<?xml version="1.0" encoding="UTF-8"?>
<!-- A book as formatting objects for FOP. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:fo="http://www.w3.org/1999/XSL/Format"
                xmlns:d="http://docbook.org/ns/docbook" exclude-result-prefixes="d">
  <xsl:import href="../../../../docbook/fo/docbook.xsl"/>

  <xsl:param name="fop1.extensions" select="1"/>
  <xsl:param name="paper.type">A4</xsl:param>
  <xsl:param name="page.margin.inner">18mm</xsl:param>
  <xsl:param name="page.margin.outer">18mm</xsl:param>
  <xsl:param name="body.start.indent">0pt</xsl:param>
  <xsl:param name="body.font.master">9</xsl:param>
  <xsl:param name="body.font.family">DejaVu Sans</xsl:param>
  <xsl:param name="title.font.family">DejaVu Sans</xsl:param>
  <xsl:param name="sans.font.family">DejaVu Sans</xsl:param>
  <xsl:param name="monospace.font.family">DejaVu Sans Mono</xsl:param>
  <xsl:param name="dingbat.font.family">DejaVu Sans</xsl:param>
  <xsl:param name="symbol.font.family"/>
  <xsl:param name="section.autolabel" select="1"/>
  <xsl:param name="section.label.includes.component.label" select="1"/>
  <xsl:param name="process.empty.source.toc" select="1"/>
  <xsl:param name="generate.toc"/>
  <!-- the plugin's books say by a role what the table of contents lists -->
  <xsl:param name="toc.section.depth" select="if (/*/d:toc/@role = 'files') then 0 else 2"/>
  <xsl:param name="ulink.show" select="0"/>
  <xsl:param name="insert.xref.page.number">no</xsl:param>
  <xsl:param name="hyphenate">false</xsl:param>
  <xsl:param name="alignment">start</xsl:param>
  <xsl:param name="shade.verbatim" select="1"/>

  <xsl:param name="generate.consistent.ids" select="1"/>

  <!-- says which paper is used -->
  <xsl:template name="root.messages"/>

  <xsl:attribute-set name="monospace.verbatim.properties">
    <xsl:attribute name="font-size">85%</xsl:attribute>
    <xsl:attribute name="wrap-option">wrap</xsl:attribute>
    <xsl:attribute name="linefeed-treatment">preserve</xsl:attribute>
  </xsl:attribute-set>

  <xsl:param name="table.cell.border.color">#c9ccd1</xsl:param>
  <xsl:param name="table.frame.border.color">#8b9097</xsl:param>

  <xsl:attribute-set name="component.title.properties">
    <xsl:attribute name="font-size">18pt</xsl:attribute>
  </xsl:attribute-set>
  <xsl:attribute-set name="section.title.level1.properties">
    <xsl:attribute name="font-size">14pt</xsl:attribute>
  </xsl:attribute-set>
  <xsl:attribute-set name="section.title.level2.properties">
    <xsl:attribute name="font-size">12pt</xsl:attribute>
  </xsl:attribute-set>
  <xsl:attribute-set name="section.title.level3.properties">
    <xsl:attribute name="font-size">11pt</xsl:attribute>
  </xsl:attribute-set>

  <xsl:attribute-set name="shade.verbatim.style">
    <xsl:attribute name="background-color">#f4f4f2</xsl:attribute>
    <xsl:attribute name="padding">3pt</xsl:attribute>
  </xsl:attribute-set>

  <xsl:template match="d:legalnotice" mode="titlepage.mode">
    <fo:block font-size="7pt" color="#5c636b">
      <xsl:apply-templates mode="titlepage.mode"/>
    </fo:block>
  </xsl:template>

  <xsl:attribute-set name="xref.properties">
    <xsl:attribute name="color">#1a4f8b</xsl:attribute>
  </xsl:attribute-set>

  <xsl:attribute-set name="sidebar.properties">
    <xsl:attribute name="background-color">#f4f4f2</xsl:attribute>
    <xsl:attribute name="border-style">none</xsl:attribute>
    <xsl:attribute name="padding-start">6pt</xsl:attribute>
    <xsl:attribute name="padding-end">6pt</xsl:attribute>
  </xsl:attribute-set>

  <!-- names are long, and have no place to break at: after dots, underscores, and before capitals there may be one -->
  <xsl:template match="d:entry//text()[not(ancestor::d:para or ancestor::d:programlisting)]">
    <xsl:call-template name="breakable">
      <xsl:with-param name="text" select="."/>
    </xsl:call-template>
  </xsl:template>

  <xsl:template name="breakable">
    <xsl:param name="text"/>
    <xsl:value-of select="replace($text, '([._])|(\p{Ll})(\p{Lu})', '$1$2&#x200B;$3')"/>
  </xsl:template>
</xsl:stylesheet>
