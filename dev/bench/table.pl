#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Turns what the guests printed into the table: for a terminal, as markdown,
# as one tab-separated line a figure, or as a chart of the ratios.
# usage: table.pl terminal|markdown|tsv|svg RESULT [ROWS]
use strict;
use warnings;

my ($form, $result, $pattern) = @ARGV;
my $glob = glob_of($pattern // '*');
my (%figure, %wait, %note, %seen);

# A shell's pattern as a regular expression.
sub glob_of {
	my $text = join '|', map {
		my $g = quotemeta;
		$g =~ s/\\\*/.*/g;
		$g =~ s/\\\?/./g;
		$g;
	} split /,/, shift;
	return qr/^(?:$text)$/;
}

open my $in, '<', $result or die "table: $result: $!\n";
while (<$in>) {
	chomp;
	my ($config, $side, $key, $value, $wait, $note) = split /\t/;
	$seen{$config} = 1;
	$figure{$config}{$side}{$key} = $value;
	$wait{$config}{$side}{$key} = $wait;
	$note{$config}{$side}{$key} = $note // '';
}
close $in;

# 1234567 -> 1,234,567; large ones in millions.
sub shown {
	my $n = shift;

	return '' unless defined $n;
	return 'not yet' if $n eq '-';
	return sprintf '%.2f G', $n / 1e9 if $n >= 9.995e8;
	return sprintf '%.1f M', $n / 1e6 if $n >= 9.995e5;
	my $text = sprintf '%.0f', $n;
	1 while $text =~ s/^(-?\d+)(\d{3})/$1,$2/;
	return $text;
}

sub ratio {
	my ($stock, $ours) = @_;

	return '' unless defined $stock && defined $ours;
	return '' if $stock eq '-' || $ours eq '-' || $stock <= 0;
	my $ratio = $ours / $stock;
	return sprintf $ratio < 0.0095 ? '%.1g' : '%.2f', $ratio;
}

# The lines of the table: sections are strings, rows are hashes.
my @lines;
my @configs = grep { $seen{$_} } 'bench', 'bench-hard', 'bench-static', 'bench-discover';
my $first = $configs[0] // 'bench';
(my $list = $0) =~ s/table\.pl$/rows/;
open my $rows, '<', $list or die "table: $list: $!\n";
while (<$rows>) {
	chomp;
	next if /^#/ || !/\S/;
	if (/^= (.*)/) {
		pop @lines if @lines && !ref $lines[-1];
		push @lines, $1;
		next;
	}
	my ($key, $part, $title, $reach) = split /\t/;
	next unless $key =~ $glob || $part =~ $glob;
	my %row = (key => $key, title => $title,
		   reach => $reach eq '-' || $first eq 'bench-static' ? undef : $reach);
	my @notes;
	for my $config (@configs) {
		my $stock = $figure{$config}{stock}{$key};
		my $ours = $figure{$config}{ours}{$key};
		$row{$config} = [$stock, $ours, ratio($stock, $ours)];
		next unless $config eq $first;
		my @said = map { $note{$config}{$_}{$key} // '' } 'stock', 'ours';
		@said = map { $_ eq 'not yet' ? '' : $_ } @said;
		@notes = $said[0] eq $said[1] ? grep { $_ } $said[0] :
			 grep { /: ./ } "stock: $said[0]", "ours: $said[1]";
	}
	$row{wait} = [map { $wait{$first}{$_}{$key} } 'stock', 'ours'];
	$row{note} = join '; ', @notes;
	push @lines, \%row if grep { defined } map { @{$row{$_}}[0, 1] } @configs;
}
pop @lines if @lines && !ref $lines[-1];

sub waits {
	my @w = map { defined $_ && $_ ne '-' && $_ > 0 ? shown($_) : '' } @{$_[0]};
	return join(' / ', map { $_ || '0' } @w) if grep { $_ } @w;
	return '';
}

sub verdict {
	my $row = shift;
	my $ours = $row->{$first}[1];

	return '' unless defined $ours && $ours ne '-' && defined $row->{reach};
	return $ours <= $row->{reach} ? 'reached' : sprintf 'x%.2f', $ours / $row->{reach};
}

sub terminal {
	printf "%-52s %9s %9s %6s %9s %8s", '', 'stock', 'ours', 'ratio', 'reach', '';
	printf "  | %9s %9s %6s", 'stock', 'ours', 'ratio' if @configs > 1;
	print "  | waits\n";
	for my $row (@lines) {
		if (!ref $row) {
			print "\n$row\n";
			next;
		}
		printf "  %-50s %9s %9s %6s %9s %8s", $row->{title},
			shown($row->{$first}[0]), shown($row->{$first}[1]),
			$row->{$first}[2] // '', shown($row->{reach}), verdict($row);
		printf "  | %9s %9s %6s", map({ shown($_) } @{$row->{$configs[1]}}[0, 1]),
			$row->{$configs[1]}[2] if @configs > 1;
		print "  | ", waits($row->{wait}), "\n";
	}
	my @notes = grep { ref && $_->{note} } @lines;
	print "\nnotes\n" if @notes;
	print "  $_->{title}: $_->{note}\n" for @notes;
	print "\nthe columns after | are with jump labels and mitigations on\n" if @configs > 1;
}

# whether a row of the section that begins at this line waits
sub section_waits {
	my $at = shift;

	while (++$at < @lines && ref $lines[$at]) {
		return 1 if waits($lines[$at]{wait}) ne '';
	}
	return 0;
}

sub markdown {
	my $second = @configs > 1;
	my $waits;

	for my $at (0 .. $#lines) {
		my $row = $lines[$at];

		if (!ref $row) {
			$waits = section_waits($at);
			print "\n" if $at;
			print "| $row | stock | ours | ratio | reach |",
				$second ? " stock, hardened | ours | ratio |" : '',
				$waits ? " waits: stock / ours |" : '', "\n";
			print "|---|---:|---:|---:|---:|", $second ? "---:|---:|---:|" : '',
				$waits ? "---:|" : '', "\n";
			next;
		}
		printf "| %s | %s | %s | %s | %s |", $row->{title},
			shown($row->{$first}[0]), shown($row->{$first}[1]),
			$row->{$first}[2] // '', shown($row->{reach});
		printf " %s | %s | %s |", map({ shown($_) } @{$row->{$configs[1]}}[0, 1]),
			$row->{$configs[1]}[2] if $second;
		printf " %s |", waits($row->{wait}) if $waits;
		print "\n";
	}
}

sub tsv {
	print join("\t", qw(config key stock ours ratio reach wait_stock wait_ours note)), "\n";
	for my $config (@configs) {
		for my $row (grep { ref } @lines) {
			my $key = $row->{key};
			print join("\t", $config, $key,
				map({ $_ // '' } @{$row->{$config}}, $row->{reach},
				    $wait{$config}{stock}{$key}, $wait{$config}{ours}{$key}),
				$row->{note}), "\n";
		}
	}
}

# A bar for each row with a figure to reach, as long as ours is of the stock kernel; at 1.0 a line.
sub svg {
	my @bars = grep { ref && $_->{reach} && $_->{$first}[2] ne '' } @lines;
	my ($left, $unit, $step) = (400, 300, 18);
	my $height = @bars * $step + 50;
	my $y = 40;

	printf '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" ' .
		'font-family="sans-serif" font-size="12">' . "\n",
		$left + $unit * 1.5 + 60, $height;
	print '<rect width="100%" height="100%" fill="white"/>', "\n";
	print "<text x=\"10\" y=\"20\">instructions (or bytes) of this series, ",
		"the stock kernel being 1.0</text>\n";
	for my $row (@bars) {
		my $ratio = $row->{$first}[2];
		my $width = ($ratio > 1.5 ? 1.5 : $ratio) * $unit;
		my $colour = $ratio <= 1 ? '#3a7' : '#c53';
		(my $title = $row->{title}) =~ s/([&<>])/sprintf '&#%d;', ord $1/ge;

		printf '<text x="%d" y="%d" text-anchor="end">%s</text>' .
			'<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>' .
			'<text x="%d" y="%d">%s</text>' . "\n",
			$left - 8, $y + 12, $title, $left, $y, $width, $step - 4,
			$colour, $left + $width + 5, $y + 12, $ratio;
		$y += $step;
	}
	printf '<line x1="%d" x2="%1$d" y1="30" y2="%d" stroke="black"/>' . "\n</svg>\n",
		$left + $unit, $height - 10;
}

my %forms = (terminal => \&terminal, markdown => \&markdown, tsv => \&tsv, svg => \&svg);
die "table: form $form?\n" unless $forms{$form};
$forms{$form}->();
