#!/usr/bin/env perl
# A player that chooses at random, as an example of a program in another language than Python:
#
#     starpost engine arena tomtube --player A=cadet --player 'B=cmd:perl tools/players/random.pl'
#
# The protocol is described in docs/developers/protocol.md.
use strict;
use warnings;
use JSON::PP;

$| = 1;                # each answer leaves at once
srand(shift // 0);     # the same number as an argument gives the same matches

my $json = JSON::PP->new->utf8->canonical;

sub choose {
    my ($request) = @_;
    my @legal = @{ $request->{legal} };
    my $line  = $legal[rand @legal];

    # Warp 6, secret set-up: a form such as "set b8a? b6a?" needs a number for each die.
    $line =~ s/(\d)([a-z])\?/$1 . $2 . (1 + int rand $1)/ge;
    return { line => $line };
}

while (my $text = <STDIN>) {
    my $request = $json->decode($text);
    last if $request->{do} eq 'quit';
    my $answer =
        $request->{do} eq 'hello'  ? { name => 'Random in Perl', protocol => 1 }
      : $request->{do} eq 'choose' ? choose($request)
      :                              { error => "Unknown request: $request->{do}" };
    print $json->encode($answer), "\n";
}
