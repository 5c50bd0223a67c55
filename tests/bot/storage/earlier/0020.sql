BEGIN TRANSACTION;
CREATE TABLE absences (
	user_id BIGINT NOT NULL, 
	ends_at FLOAT NOT NULL, started_at FLOAT DEFAULT '0' NOT NULL, stand_in VARCHAR(16), 
	CONSTRAINT pk_absences PRIMARY KEY (user_id)
);
INSERT INTO "absences" VALUES(33,1800136800.0,1.79532899166598057744e+09,NULL);
CREATE TABLE "actions" (
	match_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	line TEXT NOT NULL, 
	made_at FLOAT NOT NULL, 
	undone_at FLOAT, 
	chosen_by VARCHAR(32), 
	automatic VARCHAR(8), 
	CONSTRAINT pk_actions PRIMARY KEY (match_id, number), 
	CONSTRAINT fk_actions_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
)
 WITHOUT ROWID

;
INSERT INTO "actions" VALUES(1,1,'* rolloff S2 M2 C2 A3',1800000000.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(1,2,'D first move',1800003600.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(1,3,'O place M1 i2',1800007200.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(1,4,'D place C2 c9',1800010800.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(1,5,'O place M3 g11',1800014400.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(1,6,'D place C5 c14',1800018000.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(1,7,'O place S5 c15',1800021600.0,1800021600.0,NULL,NULL);
INSERT INTO "actions" VALUES(1,8,'O place S1 c16',1800025200.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(1,9,'D place C1 e4',1800028800.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(1,10,'O place S0 h14',1800032400.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(1,11,'D place C0 e6',1800036000.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(1,12,'O place M2 h4',1800039600.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(1,13,'D place A5 f4',1800043200.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(1,14,'O place S5 e14',1800046800.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(1,15,'D place C3 h13',1800050400.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(3,1,'* roll b8a4 b8b1 b6a1 b6b1 b6c2 b4a2 b4b1 b4c4 b4d3 y8a1 y8b7 y6a1 y6b1 y6c6 y4a4 y4b2 y4c4 y4d1',1800050400.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(3,2,'Y place y8a',1800050400.0,NULL,'cadet/1',NULL);
INSERT INTO "actions" VALUES(3,3,'B place b8a',1800050400.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(3,4,'Y place y8b',1800050400.0,NULL,'cadet/1',NULL);
INSERT INTO "actions" VALUES(3,5,'B place b8b',1800050400.0,NULL,NULL,'forced');
INSERT INTO "actions" VALUES(3,6,'Y place y6a',1800050400.0,NULL,'cadet/1',NULL);
INSERT INTO "actions" VALUES(3,7,'B place b6a',1800050400.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(3,8,'Y place y6b',1800050400.0,NULL,'cadet/1',NULL);
INSERT INTO "actions" VALUES(3,9,'B place b6b',1800050400.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(4,1,'* rolloff S2 M2 C2 A3',1800000000.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(4,2,'D first move',1800003600.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(4,3,'O place M1 i2',1800007200.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(4,4,'D place C2 c9',1800010800.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(4,5,'O place M3 g11',1800014400.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(4,6,'D place C5 c14',1800018000.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(4,7,'O place S5 c15',1800021600.0,1800021600.0,NULL,NULL);
INSERT INTO "actions" VALUES(4,8,'O place S1 c16',1800025200.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(4,9,'D place C1 e4',1800028800.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(4,10,'O place S0 h14',1800032400.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(4,11,'D place C0 e6',1800036000.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(4,12,'O place M2 h4',1800039600.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(4,13,'D place A5 f4',1800043200.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(4,14,'O place S5 e14',1800046800.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(4,15,'D place C3 h13',1800050400.0,NULL,NULL,NULL);
INSERT INTO "actions" VALUES(4,16,'D resign',1800040000.0,NULL,NULL,NULL);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0020');
CREATE TABLE analyses (
	match_id INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	requested_at FLOAT NOT NULL, 
	attempts INTEGER NOT NULL, 
	result TEXT, 
	CONSTRAINT pk_analyses PRIMARY KEY (match_id), 
	CONSTRAINT fk_analyses_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "analyses" VALUES(2,1,1800000000.0,0,NULL);
CREATE TABLE computer_jobs (
	id INTEGER NOT NULL, 
	match_id INTEGER NOT NULL, 
	seat VARCHAR(1) NOT NULL, 
	version INTEGER NOT NULL, 
	queued_at FLOAT NOT NULL, 
	attempts INTEGER NOT NULL, 
	lease_expires_at FLOAT, 
	worker_id VARCHAR(64), 
	CONSTRAINT pk_computer_jobs PRIMARY KEY (id), 
	CONSTRAINT uq_computer_jobs_match_id_seat UNIQUE (match_id, seat), 
	CONSTRAINT fk_computer_jobs_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "computer_jobs" VALUES(1,3,'Y',9,1800050400.0,0,NULL,NULL);
CREATE TABLE cup_entrants (
	cup_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	user_id BIGINT NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	joined_by BIGINT NOT NULL, 
	withdrawn_at FLOAT, 
	substitute_id BIGINT, 
	checked_at FLOAT DEFAULT '0' NOT NULL, 
	has_left BOOLEAN DEFAULT 0 NOT NULL, place INTEGER, 
	CONSTRAINT pk_cup_entrants PRIMARY KEY (cup_id, number), 
	CONSTRAINT fk_cup_entrants_cup_id FOREIGN KEY(cup_id) REFERENCES cups (id) ON DELETE CASCADE
);
INSERT INTO "cup_entrants" VALUES(1,1,11,'Ada',1,NULL,NULL,1800000000.0,0,NULL);
INSERT INTO "cup_entrants" VALUES(1,2,22,'Bo',2,NULL,33,1800000000.0,0,NULL);
INSERT INTO "cup_entrants" VALUES(1,3,44,'Dee',3,1800040000.0,NULL,0.0,1,NULL);
CREATE TABLE cup_pairings (
	id INTEGER NOT NULL, 
	cup_id INTEGER NOT NULL, 
	round INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	numbers VARCHAR(16) NOT NULL, 
	seated VARCHAR(16) DEFAULT '' NOT NULL, 
	match_id INTEGER, 
	replays INTEGER NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	winners VARCHAR(16) DEFAULT '' NOT NULL, 
	forfeits VARCHAR(16) DEFAULT '' NOT NULL, 
	reason VARCHAR(16), 
	ended_at FLOAT, 
	CONSTRAINT pk_cup_pairings PRIMARY KEY (id), 
	CONSTRAINT fk_cup_pairings_cup_id FOREIGN KEY(cup_id) REFERENCES cups (id) ON DELETE CASCADE, 
	CONSTRAINT fk_cup_pairings_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE SET NULL, 
	CONSTRAINT uq_cup_pairings_cup_id_round_place UNIQUE (cup_id, round, place)
);
INSERT INTO "cup_pairings" VALUES(1,1,1,1,'1,2','1,2',4,0,'done','1','','resigned',1800040000.0);
INSERT INTO "cup_pairings" VALUES(2,1,1,2,'1,3','',NULL,0,'done','1','3','withdrawn',1800040000.0);
CREATE TABLE cups (
	id INTEGER NOT NULL, 
	guild_id BIGINT NOT NULL, 
	channel_id BIGINT NOT NULL, 
	parent_channel_id BIGINT, 
	organiser_id BIGINT NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	game VARCHAR(32) NOT NULL, 
	rules VARCHAR(32) NOT NULL, 
	options JSON NOT NULL, 
	clock VARCHAR(16) NOT NULL, 
	rounds INTEGER NOT NULL, 
	rated BOOLEAN DEFAULT 0 NOT NULL, 
	format VARCHAR(16) NOT NULL, 
	max_open INTEGER NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	seed VARCHAR(32) NOT NULL, 
	version INTEGER NOT NULL, 
	created_at FLOAT NOT NULL, 
	starts_at FLOAT, 
	ends_at FLOAT, 
	started_at FLOAT, 
	ended_at FLOAT, 
	"key" TEXT NOT NULL, 
	message_id BIGINT, 
	shown_version INTEGER NOT NULL, 
	announced INTEGER NOT NULL, league_id INTEGER, season INTEGER DEFAULT '0' NOT NULL, division INTEGER DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_cups PRIMARY KEY (id)
);
INSERT INTO "cups" VALUES(1,7,70,NULL,11,'Autumn','warp6','standard','{}','3d+12h',1,0,'round_robin',2,'running','0f1e2d3c4b5a6978',5,1800000000.0,NULL,1801000000.0,1800003600.0,NULL,'a1b2c3d4e5f60718',720,5,1,1,1,1);
CREATE TABLE daily_answers (
	daily_id INTEGER NOT NULL, 
	user_id BIGINT NOT NULL, 
	line TEXT NOT NULL, 
	answered_at FLOAT NOT NULL, 
	CONSTRAINT pk_daily_answers PRIMARY KEY (daily_id, user_id), 
	CONSTRAINT fk_daily_answers_daily_id FOREIGN KEY(daily_id) REFERENCES daily_positions (id) ON DELETE CASCADE
);
INSERT INTO "daily_answers" VALUES(2,11,'move y4d',1800020000.0);
CREATE TABLE daily_positions (
	id INTEGER NOT NULL, 
	guild_id BIGINT NOT NULL, 
	channel_id BIGINT NOT NULL, 
	day INTEGER NOT NULL, 
	position VARCHAR(16) NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	first_attempt_at FLOAT NOT NULL, 
	closes_at FLOAT NOT NULL, 
	message_id BIGINT, 
	"key" TEXT NOT NULL, 
	CONSTRAINT pk_daily_positions PRIMARY KEY (id), 
	CONSTRAINT uq_daily_positions_guild_id_channel_id_day UNIQUE (guild_id, channel_id, day)
);
INSERT INTO "daily_positions" VALUES(1,7,70,20832,'769b900ca0f84b5e','solved',1799928000.0,1800014400.0,710,'0a1b2c3d4e5f6071');
INSERT INTO "daily_positions" VALUES(2,7,70,20833,'29cef0b613e0e2a3','open',1800014400.0,1800100800.0,711,'8192a3b4c5d6e7f8');
CREATE TABLE earlier_clocks (
	match_id INTEGER NOT NULL, 
	action_number INTEGER NOT NULL, 
	seat VARCHAR(1) NOT NULL, 
	"seconds_left" FLOAT, 
	clock_started_at FLOAT, 
	was_pending BOOLEAN NOT NULL, 
	CONSTRAINT pk_earlier_clocks PRIMARY KEY (match_id, action_number, seat), 
	CONSTRAINT fk_earlier_clocks_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
CREATE TABLE erasures (
	number BIGINT NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_erasures PRIMARY KEY (number)
);
CREATE TABLE facts (
	name VARCHAR(64) NOT NULL, 
	value TEXT NOT NULL, 
	CONSTRAINT pk_facts PRIMARY KEY (name)
);
INSERT INTO "facts" VALUES('heartbeat:1:0','1800050400.0');
INSERT INTO "facts" VALUES('migrated_by','0.3.0.dev0');
CREATE TABLE guilds (
	guild_id BIGINT NOT NULL, 
	settings JSON NOT NULL, daily_due_at FLOAT, ranks_due_at FLOAT, 
	CONSTRAINT pk_guilds PRIMARY KEY (guild_id)
);
INSERT INTO "guilds" VALUES(7,'{}',1800100800.0,1800050400.0);
CREATE TABLE halls (
	guild_id BIGINT NOT NULL, 
	is_forum BOOLEAN NOT NULL, 
	posted_in BIGINT, 
	list_channel_id BIGINT, 
	list_message_id BIGINT, 
	called_at FLOAT, 
	call_channel_id BIGINT, 
	call_message_id BIGINT, 
	CONSTRAINT pk_halls PRIMARY KEY (guild_id)
);
INSERT INTO "halls" VALUES(7,0,70,70,701,1800050400.0,70,702);
CREATE TABLE interactions (
	id BIGINT NOT NULL, 
	result JSON NOT NULL, 
	received_at FLOAT NOT NULL, 
	CONSTRAINT pk_interactions PRIMARY KEY (id)
);
INSERT INTO "interactions" VALUES(1,'{"kind": "done", "match_id": 1, "rule": "", "sentence": "", "again": false}',1800000000.0);
INSERT INTO "interactions" VALUES(2,'{"kind": "done", "match_id": 1, "rule": "", "sentence": "", "again": false}',1800000000.0);
INSERT INTO "interactions" VALUES(3,'{"kind": "done", "match_id": 1, "rule": "", "sentence": "", "again": false}',1800003600.0);
INSERT INTO "interactions" VALUES(4,'{"kind": "done", "match_id": 1, "rule": "", "sentence": "", "again": false}',1800007200.0);
INSERT INTO "interactions" VALUES(5,'{"kind": "done", "match_id": 1, "rule": "", "sentence": "", "again": false}',1800010800.0);
INSERT INTO "interactions" VALUES(6,'{"kind": "done", "match_id": 1, "rule": "", "sentence": "", "again": false}',1800014400.0);
INSERT INTO "interactions" VALUES(7,'{"kind": "done", "match_id": 1, "rule": "", "sentence": "", "again": false}',1800018000.0);
INSERT INTO "interactions" VALUES(8,'{"kind": "done", "match_id": 1, "rule": "", "sentence": "", "again": false}',1800021600.0);
INSERT INTO "interactions" VALUES(9,'{"kind": "done", "match_id": 1, "rule": "", "sentence": "", "again": false}',1800021600.0);
INSERT INTO "interactions" VALUES(10,'{"kind": "done", "match_id": 1, "rule": "", "sentence": "", "again": false}',1800025200.0);
INSERT INTO "interactions" VALUES(11,'{"kind": "done", "match_id": 1, "rule": "", "sentence": "", "again": false}',1800028800.0);
INSERT INTO "interactions" VALUES(12,'{"kind": "done", "match_id": 1, "rule": "", "sentence": "", "again": false}',1800032400.0);
INSERT INTO "interactions" VALUES(13,'{"kind": "done", "match_id": 1, "rule": "", "sentence": "", "again": false}',1800036000.0);
INSERT INTO "interactions" VALUES(14,'{"kind": "done", "match_id": 1, "rule": "", "sentence": "", "again": false}',1800039600.0);
INSERT INTO "interactions" VALUES(15,'{"kind": "done", "match_id": 1, "rule": "", "sentence": "", "again": false}',1800043200.0);
INSERT INTO "interactions" VALUES(16,'{"kind": "done", "match_id": 1, "rule": "", "sentence": "", "again": false}',1800046800.0);
INSERT INTO "interactions" VALUES(17,'{"kind": "done", "match_id": 1, "rule": "", "sentence": "", "again": false}',1800050400.0);
INSERT INTO "interactions" VALUES(18,'{"kind": "done", "match_id": 2, "rule": "", "sentence": "", "again": false}',1800050400.0);
INSERT INTO "interactions" VALUES(50,'{"kind": "done", "match_id": 3, "rule": "", "sentence": "", "again": false}',1800050400.0);
INSERT INTO "interactions" VALUES(51,'{"kind": "done", "match_id": 3, "rule": "", "sentence": "", "again": false}',1800050400.0);
INSERT INTO "interactions" VALUES(52,'{"kind": "done", "match_id": 3, "rule": "", "sentence": "", "again": false}',1800050400.0);
INSERT INTO "interactions" VALUES(53,'{"kind": "done", "match_id": 3, "rule": "", "sentence": "", "again": false}',1800050400.0);
INSERT INTO "interactions" VALUES(54,'{"kind": "done", "match_id": 3, "rule": "", "sentence": "", "again": false}',1800050400.0);
CREATE TABLE leaderboard_entries (
	guild_id BIGINT NOT NULL, 
	user_id BIGINT NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	checked_at FLOAT NOT NULL, 
	CONSTRAINT pk_leaderboard_entries PRIMARY KEY (guild_id, user_id)
);
INSERT INTO "leaderboard_entries" VALUES(7,11,'Ada',1800000000.0);
CREATE TABLE leagues (
	id INTEGER NOT NULL, 
	guild_id BIGINT NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	divisions INTEGER NOT NULL, 
	season INTEGER NOT NULL, 
	first_at FLOAT, 
	opens_at FLOAT, 
	CONSTRAINT pk_leagues PRIMARY KEY (id)
);
INSERT INTO "leagues" VALUES(1,7,'Autumn',2,1,1800000000.0,1802000000.0);
CREATE TABLE leases (
	name VARCHAR(64) NOT NULL, 
	worker_id VARCHAR(64) NOT NULL, 
	token BIGINT NOT NULL, 
	expires_at FLOAT NOT NULL, 
	CONSTRAINT pk_leases PRIMARY KEY (name)
);
INSERT INTO "leases" VALUES('commands','h',1,1800050460.0);
CREATE TABLE match_notes (
	match_id INTEGER NOT NULL, 
	user_id BIGINT NOT NULL, 
	text TEXT NOT NULL, 
	CONSTRAINT pk_match_notes PRIMARY KEY (match_id, user_id), 
	CONSTRAINT fk_match_notes_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "match_notes" VALUES(1,11,'the left gate is mine');
CREATE TABLE matches (
	id INTEGER NOT NULL, 
	game VARCHAR(32) NOT NULL, 
	engine_version INTEGER NOT NULL, 
	rules VARCHAR(32) NOT NULL, 
	options JSON NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	version INTEGER NOT NULL, 
	position TEXT, 
	decisions JSON NOT NULL, 
	chance_count INTEGER NOT NULL, 
	seed BLOB NOT NULL, 
	salt TEXT NOT NULL, 
	challenger_id BIGINT NOT NULL, 
	guild_id BIGINT, 
	channel_id BIGINT NOT NULL, 
	created_at FLOAT NOT NULL, 
	expires_at FLOAT, 
	changed_at FLOAT NOT NULL, clock VARCHAR(16) DEFAULT '' NOT NULL, parent_id INTEGER, round INTEGER DEFAULT '1' NOT NULL, rounds INTEGER DEFAULT '1' NOT NULL, commitment VARCHAR(80), committed_at FLOAT, seat_order VARCHAR(8), seats_to_draw VARCHAR(8), parent_channel_id BIGINT, lines_taken_over INTEGER DEFAULT '0' NOT NULL, rated VARCHAR(16) DEFAULT 'casual' NOT NULL, 
	CONSTRAINT pk_matches PRIMARY KEY (id)
);
INSERT INTO "matches" VALUES(1,'wormholes',1,'0.6','{}','running',16,'0.6;0;place;0;0;j1,j2,a17,a18;......H.....NX.I........M...............O.............J..............PR.F..A....B...........;7d0c5c;0;;0;0;0;0;-1;-1;placed:C:h13;1;;','{"O": 16}',1,X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F','1,2',11,7,8,1800000000.0,NULL,1800050400.0,'3d+12h',NULL,1,1,'sha256:630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd',NULL,NULL,NULL,NULL,0,'casual');
INSERT INTO "matches" VALUES(2,'wormholes',1,'0.6','{}','challenge',0,NULL,'{}',0,X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F','18',11,7,8,1800050400.0,1800136800.0,1800050400.0,'',NULL,1,1,'sha256:630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd',NULL,NULL,NULL,NULL,0,'casual');
INSERT INTO "matches" VALUES(3,'warp6',1,'standard','{}','running',9,'2;0;place;1;1;0;411122143171164241;125,123,121,119,-1,-1,-1,-1,-1,126,124,122,120,-1,-1,-1,-1,-1;0;0;0;0;-1;placed:b6b:119;1;;','{"Y": 9}',1,X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F','50,50',44,7,8,1800050400.0,NULL,1800050400.0,'',NULL,1,1,'sha256:630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd',1800050400.0,'BY','',NULL,0,'casual');
INSERT INTO "matches" VALUES(4,'wormholes',1,'0.6','{}','finished',16,NULL,'{}',1,X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F','1,2',11,7,8,1800000000.0,NULL,1800050400.0,'3d+12h',NULL,1,1,'sha256:630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd',NULL,NULL,NULL,NULL,0,'rated');
CREATE TABLE opponent_notes (
	user_id BIGINT NOT NULL, 
	opponent_id BIGINT NOT NULL, 
	text TEXT NOT NULL, 
	CONSTRAINT pk_opponent_notes PRIMARY KEY (user_id, opponent_id)
);
INSERT INTO "opponent_notes" VALUES(11,12,'opens slowly');
CREATE TABLE outbox (
	id INTEGER NOT NULL, 
	match_id INTEGER NOT NULL, 
	target VARCHAR(64) NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	payload JSON NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	attempts INTEGER NOT NULL, 
	next_attempt_at FLOAT NOT NULL, 
	lease_expires_at FLOAT, 
	worker_id VARCHAR(64), 
	first_attempt_at FLOAT, 
	error TEXT, 
	"key" TEXT NOT NULL, 
	errors INTEGER NOT NULL, priority INTEGER DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_outbox PRIMARY KEY (id), 
	CONSTRAINT fk_outbox_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "outbox" VALUES(1,1,'channel','post_challenge','{}','waiting',0,1800000000.0,NULL,NULL,NULL,NULL,'1 1 challenge {}',0,0);
INSERT INTO "outbox" VALUES(2,1,'channel','update_challenge','{}','waiting',1,1800000000.0,1800000061.0,'1:0',1800000001.0,NULL,'2 1 answered {}',0,0);
INSERT INTO "outbox" VALUES(3,1,'channel','start_thread','{}','waiting',0,1800000000.0,NULL,NULL,NULL,NULL,'3 1 thread {}',0,0);
INSERT INTO "outbox" VALUES(4,1,'channel','post_board','{"action_count": 1, "version": 1}','waiting',0,1800000000.0,NULL,NULL,NULL,NULL,'4 1 turn {''lines'': 1, ''version'': 1}',0,0);
INSERT INTO "outbox" VALUES(5,1,'user:22','private_hand','{}','failed',1,1800000000.0,NULL,NULL,1800000001.0,'Discord answers 400, 50035','5 1 hand {}',0,0);
INSERT INTO "outbox" VALUES(6,1,'user:11','private_hand','{}','waiting',0,1800000000.0,NULL,NULL,NULL,NULL,'6 1 hand {}',0,0);
INSERT INTO "outbox" VALUES(7,1,'channel','post_board','{"action_count": 2, "version": 2}','waiting',0,1800003600.0,NULL,NULL,NULL,NULL,'7 1 turn {''lines'': 2, ''version'': 2}',0,0);
INSERT INTO "outbox" VALUES(8,1,'channel','post_board','{"action_count": 3, "version": 3}','waiting',0,1800007200.0,NULL,NULL,NULL,NULL,'8 1 turn {''lines'': 3, ''version'': 3}',0,0);
INSERT INTO "outbox" VALUES(9,1,'channel','post_board','{"action_count": 4, "version": 4}','waiting',0,1800010800.0,NULL,NULL,NULL,NULL,'9 1 turn {''lines'': 4, ''version'': 4}',0,0);
INSERT INTO "outbox" VALUES(10,1,'channel','post_board','{"action_count": 5, "version": 5}','waiting',0,1800014400.0,NULL,NULL,NULL,NULL,'4a44dc15364204a8',0,0);
INSERT INTO "outbox" VALUES(11,1,'channel','post_board','{"action_count": 6, "version": 6}','waiting',0,1800018000.0,NULL,NULL,NULL,NULL,'4fc82b26aecb47d2',0,0);
INSERT INTO "outbox" VALUES(12,1,'channel','post_board','{"action_count": 7, "version": 7}','waiting',0,1800021600.0,NULL,NULL,NULL,NULL,'6b51d431df5d7f14',0,0);
INSERT INTO "outbox" VALUES(13,1,'channel','post_board','{"action_count": 6, "version": 8}','waiting',0,1800021600.0,NULL,NULL,NULL,NULL,'3fdba35f04dc8c46',0,0);
INSERT INTO "outbox" VALUES(14,1,'channel','post_board','{"action_count": 7, "version": 9}','waiting',0,1800025200.0,NULL,NULL,NULL,NULL,'8527a891e2241369',0,0);
INSERT INTO "outbox" VALUES(15,1,'channel','post_board','{"action_count": 8, "version": 10}','waiting',0,1800028800.0,NULL,NULL,NULL,NULL,'e629fa6598d73276',0,0);
INSERT INTO "outbox" VALUES(16,1,'channel','post_board','{"action_count": 9, "version": 11}','waiting',0,1800032400.0,NULL,NULL,NULL,NULL,'b17ef6d19c7a5b1e',0,0);
INSERT INTO "outbox" VALUES(17,1,'channel','post_board','{"action_count": 10, "version": 12}','waiting',0,1800036000.0,NULL,NULL,NULL,NULL,'4523540f1504cd17',0,0);
INSERT INTO "outbox" VALUES(18,1,'channel','post_board','{"action_count": 11, "version": 13}','waiting',0,1800039600.0,NULL,NULL,NULL,NULL,'4ec9599fc203d176',0,0);
INSERT INTO "outbox" VALUES(19,1,'channel','post_board','{"action_count": 12, "version": 14}','waiting',0,1800043200.0,NULL,NULL,NULL,NULL,'9400f1b21cb527d7',0,0);
INSERT INTO "outbox" VALUES(20,1,'channel','post_board','{"action_count": 13, "version": 15}','waiting',0,1800046800.0,NULL,NULL,NULL,NULL,'f5ca38f748a1d6ea',0,0);
INSERT INTO "outbox" VALUES(21,1,'channel','post_board','{"action_count": 14, "version": 16}','waiting',0,1800050400.0,NULL,NULL,NULL,NULL,'6f4b6612125fb3a0',0,0);
INSERT INTO "outbox" VALUES(22,2,'channel','post_challenge','{}','waiting',0,1800050400.0,NULL,NULL,NULL,NULL,'785f3ec7eb32f30b',0,0);
INSERT INTO "outbox" VALUES(23,1,'user:22','turn_dm','{"action_count": 14, "version": 16}','waiting',0,1800050400.0,NULL,NULL,NULL,NULL,'535fa30d7e25dd8a',0,0);
INSERT INTO "outbox" VALUES(24,1,'channel','edit_board','{"action_count": 14, "version": 16}','waiting',0,1800050400.0,NULL,NULL,NULL,NULL,'c2356069e9d1e79c',0,0);
INSERT INTO "outbox" VALUES(25,1,'channel','takeback_request','{"action_count": 14, "version": 16}','waiting',0,1800050400.0,NULL,NULL,NULL,NULL,'b7a56873cd771f2c',0,0);
INSERT INTO "outbox" VALUES(26,1,'channel','ensure_board','{"action_count": 14, "version": 16}','waiting',0,1800050400.0,NULL,NULL,NULL,NULL,'5f9c4ab08cac7457',0,0);
INSERT INTO "outbox" VALUES(27,1,'channel','post_board','{"reminder": 1, "action_count": 14, "version": 16}','waiting',0,1800050400.0,NULL,NULL,NULL,NULL,'670671cd97404156',0,0);
INSERT INTO "outbox" VALUES(28,3,'channel','post_challenge','{}','waiting',0,1800050400.0,NULL,NULL,NULL,NULL,'ec980b6244b327d1',0,0);
INSERT INTO "outbox" VALUES(29,3,'channel','start_thread','{}','waiting',0,1800050400.0,NULL,NULL,NULL,NULL,'f28803d54996d481',0,0);
INSERT INTO "outbox" VALUES(30,3,'channel','edit_board','{"action_count": 1, "version": 1}','waiting',0,1800050400.0,NULL,NULL,NULL,NULL,'4241b3166ead43a5',0,0);
INSERT INTO "outbox" VALUES(31,3,'user:44','private_hand','{}','waiting',0,1800050400.0,NULL,NULL,NULL,NULL,'82014ec90c8cbeab',0,0);
INSERT INTO "outbox" VALUES(32,3,'channel','post_board','{"action_count": 2, "version": 2}','waiting',0,1800050400.0,NULL,NULL,NULL,NULL,'e6d64855fb8f6bcb',0,0);
INSERT INTO "outbox" VALUES(33,3,'channel','edit_board','{"action_count": 3, "version": 3}','waiting',0,1800050400.0,NULL,NULL,NULL,NULL,'28139e0d19334d45',0,0);
INSERT INTO "outbox" VALUES(34,3,'channel','post_board','{"action_count": 4, "version": 4}','waiting',0,1800050400.0,NULL,NULL,NULL,NULL,'b6113473d5e15d40',0,0);
INSERT INTO "outbox" VALUES(35,3,'channel','edit_board','{"action_count": 5, "version": 5}','waiting',0,1800050400.0,NULL,NULL,NULL,NULL,'9a01a8b7ffcadd92',0,0);
INSERT INTO "outbox" VALUES(36,3,'channel','post_board','{"action_count": 6, "version": 6}','waiting',0,1800050400.0,NULL,NULL,NULL,NULL,'ede42e38b7581ffe',0,0);
INSERT INTO "outbox" VALUES(37,3,'channel','edit_board','{"action_count": 7, "version": 7}','waiting',0,1800050400.0,NULL,NULL,NULL,NULL,'aeaf26938686a88e',0,0);
INSERT INTO "outbox" VALUES(38,3,'channel','post_board','{"action_count": 8, "version": 8}','waiting',0,1800050400.0,NULL,NULL,NULL,NULL,'c7983ef2822c8571',0,0);
INSERT INTO "outbox" VALUES(39,3,'channel','edit_board','{"action_count": 9, "version": 9}','waiting',0,1800050400.0,NULL,NULL,NULL,NULL,'b7090cca55116690',0,0);
INSERT INTO "outbox" VALUES(40,3,'channel','turn_ping','{"ping:B": 9, "action_count": 9, "version": 9}','waiting',0,1800050460.0,NULL,NULL,NULL,NULL,'0c1d9a5b3e7f2468',0,0);
INSERT INTO "outbox" VALUES(41,3,'hall:7','update_hall','{}','waiting',0,1800050430.0,NULL,NULL,NULL,NULL,'13579bdf02468ace',0,0);
INSERT INTO "outbox" VALUES(42,3,'hall-call:7','call_role','{}','waiting',0,1800054000.0,NULL,NULL,NULL,NULL,'5a5a0f0f3c3c9696',0,0);
CREATE TABLE plans (
	match_id INTEGER NOT NULL, 
	seat VARCHAR(1) NOT NULL, 
	orders TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	turn INTEGER DEFAULT '0' NOT NULL, 
	stopped VARCHAR(16), 
	stopped_at INTEGER, 
	changed_at FLOAT NOT NULL, 
	CONSTRAINT pk_plans PRIMARY KEY (match_id, seat), 
	CONSTRAINT fk_plans_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "plans" VALUES(3,'B','place b4a',1,0,NULL,NULL,1800050400.0);
CREATE TABLE players (
	user_id BIGINT NOT NULL, 
	preferences JSON NOT NULL, 
	CONSTRAINT pk_players PRIMARY KEY (user_id)
);
INSERT INTO "players" VALUES(11,'{"turns": "on", "language": "de"}');
CREATE TABLE posted_messages (
	id INTEGER NOT NULL, 
	match_id INTEGER NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	channel_id BIGINT NOT NULL, 
	message_id BIGINT, 
	action_count INTEGER NOT NULL, 
	user_id BIGINT DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_posted_messages PRIMARY KEY (id), 
	CONSTRAINT fk_posted_messages_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE, 
	CONSTRAINT uq_posted_messages_match_id_kind_user_id UNIQUE (match_id, kind, user_id)
);
INSERT INTO "posted_messages" VALUES(1,1,'challenge',8,100,0,0);
INSERT INTO "posted_messages" VALUES(2,1,'board',8,101,15,0);
INSERT INTO "posted_messages" VALUES(3,2,'challenge',9,200,0,11);
INSERT INTO "posted_messages" VALUES(4,3,'board',8,300,8,0);
INSERT INTO "posted_messages" VALUES(5,3,'ping',8,301,8,0);
CREATE TABLE rank_grants (
	guild_id BIGINT NOT NULL, 
	user_id BIGINT NOT NULL, 
	role_id BIGINT NOT NULL, 
	given BOOLEAN NOT NULL, 
	erased BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_rank_grants PRIMARY KEY (guild_id, user_id, role_id)
);
INSERT INTO "rank_grants" VALUES(7,11,700,1,0);
CREATE TABLE rank_roles (
	guild_id BIGINT NOT NULL, 
	role_id BIGINT NOT NULL, 
	pool VARCHAR(32) NOT NULL, 
	threshold INTEGER NOT NULL, 
	CONSTRAINT pk_rank_roles PRIMARY KEY (guild_id, role_id)
);
INSERT INTO "rank_roles" VALUES(7,700,'wormholes/2',1600);
CREATE TABLE rated_results (
	match_id INTEGER NOT NULL, 
	seat VARCHAR(1) NOT NULL, 
	number INTEGER NOT NULL, 
	pool VARCHAR(32) NOT NULL, 
	user_id BIGINT NOT NULL, 
	rank INTEGER NOT NULL, 
	out_of_time BOOLEAN DEFAULT 0 NOT NULL, 
	ended_at FLOAT NOT NULL, 
	mu FLOAT NOT NULL, 
	sigma FLOAT NOT NULL, anchor VARCHAR(32), 
	CONSTRAINT pk_rated_results PRIMARY KEY (match_id, seat), 
	CONSTRAINT fk_rated_results_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "rated_results" VALUES(4,'D',1,'wormholes/2',22,1,0,1800040000.0,1511.5,180.5,NULL);
INSERT INTO "rated_results" VALUES(4,'O',1,'wormholes/2',11,0,0,1800040000.0,1688.5,180.5,NULL);
CREATE TABLE seat_figures (
	match_id INTEGER NOT NULL, 
	seat VARCHAR(1) NOT NULL, 
	version INTEGER NOT NULL, 
	outcome VARCHAR(8) NOT NULL, 
	turns INTEGER NOT NULL, 
	seconds FLOAT NOT NULL, 
	opening VARCHAR(64) NOT NULL, 
	analysis_version INTEGER, 
	luck INTEGER, 
	loss INTEGER, 
	decisions INTEGER, 
	level VARCHAR(16), 
	CONSTRAINT pk_seat_figures PRIMARY KEY (match_id, seat), 
	CONSTRAINT fk_seat_figures_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "seat_figures" VALUES(4,'D',1,'lost',7,20000.0,'first move',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seat_figures" VALUES(4,'O',1,'won',7,15000.0,'',1,20,30,7,'cadet');
CREATE TABLE seats (
	match_id INTEGER NOT NULL, 
	seat VARCHAR(1) NOT NULL, 
	user_id BIGINT NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	joined_at FLOAT, "seconds_left" FLOAT, clock_started_at FLOAT, level VARCHAR(16), joinable BOOLEAN DEFAULT 0 NOT NULL, agreed_by VARCHAR(8) DEFAULT '' NOT NULL, reminded_at INTEGER, reminders INTEGER DEFAULT '0' NOT NULL, ended_at FLOAT, days_off VARCHAR(48), 
	CONSTRAINT pk_seats PRIMARY KEY (match_id, seat), 
	CONSTRAINT fk_seats_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "seats" VALUES(1,'O',11,'Ada',1800000000.0,536400.0,1800050400.0,NULL,0,'',3,1,NULL,NULL);
INSERT INTO "seats" VALUES(1,'D',22,'Bo',1800000000.0,579600.0,NULL,NULL,0,'',NULL,0,NULL,'56 Europe/Berlin');
INSERT INTO "seats" VALUES(2,'O',11,'Ada',1800050400.0,NULL,NULL,NULL,0,'',NULL,0,NULL,NULL);
INSERT INTO "seats" VALUES(2,'D',22,'Bo',NULL,NULL,NULL,NULL,0,'',NULL,0,NULL,NULL);
INSERT INTO "seats" VALUES(3,'B',44,'Dee',1800050400.0,NULL,NULL,NULL,0,'',NULL,0,NULL,NULL);
INSERT INTO "seats" VALUES(3,'Y',-2,'Cadet (bot)',1800050400.0,NULL,NULL,'cadet',0,'',NULL,0,NULL,NULL);
INSERT INTO "seats" VALUES(4,'D',22,'Bo',1800000000.0,579600.0,NULL,NULL,0,'',NULL,0,1800050400.0,NULL);
INSERT INTO "seats" VALUES(4,'O',11,'Ada',1800000000.0,536400.0,NULL,NULL,0,'',NULL,0,1800050400.0,NULL);
CREATE TABLE timers (
	id INTEGER NOT NULL, 
	match_id INTEGER NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	version INTEGER NOT NULL, 
	due_at FLOAT NOT NULL, seat VARCHAR(1) DEFAULT '' NOT NULL, errors INTEGER, 
	CONSTRAINT pk_timers PRIMARY KEY (id), 
	CONSTRAINT fk_timers_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "timers" VALUES(1,1,'expire',0,1800086400.0,'',NULL);
INSERT INTO "timers" VALUES(2,1,'flag',16,1800586800.0,'O',NULL);
INSERT INTO "timers" VALUES(3,1,'warn',16,1800500400.0,'O',NULL);
INSERT INTO "timers" VALUES(4,1,'remind',16,1800136800.0,'O',NULL);
INSERT INTO "timers" VALUES(5,2,'expire',0,1800136800.0,'',NULL);
INSERT INTO "timers" VALUES(6,3,'expire',0,1800136800.0,'',NULL);
CREATE TABLE vacations (
	user_id BIGINT NOT NULL, 
	started_at FLOAT NOT NULL, 
	seconds FLOAT NOT NULL, 
	CONSTRAINT pk_vacations PRIMARY KEY (user_id, started_at)
);
CREATE INDEX ix_matches_status ON matches (status);
CREATE INDEX ix_matches_parent_id ON matches (parent_id);
CREATE INDEX ix_timers_due_at ON timers (due_at);
CREATE INDEX ix_absences_ends_at ON absences (ends_at);
CREATE INDEX ix_matches_guild_id ON matches (guild_id);
CREATE INDEX ix_outbox_status_priority_next_attempt_at_id ON outbox (status, priority, next_attempt_at, id);
CREATE INDEX ix_outbox_match_id_target ON outbox (match_id, target);
CREATE INDEX ix_outbox_target ON outbox (target);
CREATE INDEX ix_guilds_daily_due_at ON guilds (daily_due_at);
CREATE INDEX ix_daily_positions_status_closes_at ON daily_positions (status, closes_at);
CREATE INDEX ix_daily_answers_user_id ON daily_answers (user_id);
CREATE INDEX ix_timers_match_id ON timers (match_id);
CREATE INDEX ix_rated_results_user_id_pool_number ON rated_results (user_id, pool, number);
CREATE INDEX ix_cups_guild_id_status ON cups (guild_id, status);
CREATE INDEX ix_cups_status ON cups (status);
CREATE INDEX ix_cups_organiser_id ON cups (organiser_id);
CREATE INDEX ix_cup_entrants_user_id ON cup_entrants (user_id);
CREATE INDEX ix_cup_entrants_substitute_id ON cup_entrants (substitute_id);
CREATE INDEX ix_cup_entrants_checked_at ON cup_entrants (checked_at);
CREATE INDEX ix_cup_pairings_match_id ON cup_pairings (match_id);
CREATE INDEX ix_rank_grants_user_id ON rank_grants (user_id);
CREATE INDEX ix_guilds_ranks_due_at ON guilds (ranks_due_at);
CREATE INDEX ix_leaderboard_entries_user_id ON leaderboard_entries (user_id);
CREATE INDEX ix_posted_messages_user_id ON posted_messages (user_id);
CREATE INDEX ix_rated_results_number ON rated_results (number);
CREATE INDEX ix_rated_results_user_id_ended_at ON rated_results (user_id, ended_at);
CREATE INDEX ix_analyses_version_attempts_requested_at ON analyses (version, attempts, requested_at) WHERE result IS NULL;
CREATE INDEX ix_matches_guild_id_status_changed_at ON matches (guild_id, status, changed_at);
CREATE INDEX ix_seats_user_id_match_id ON seats (user_id, match_id);
CREATE INDEX ix_matches_challenger_id_status ON matches (challenger_id, status);
CREATE INDEX ix_seats_user_id_ended_at_match_id ON seats (user_id, ended_at, match_id);
CREATE INDEX ix_match_notes_user_id ON match_notes (user_id);
CREATE INDEX ix_opponent_notes_opponent_id ON opponent_notes (opponent_id);
CREATE INDEX ix_leagues_opens_at ON leagues (opens_at);
CREATE INDEX ix_cups_league_id_season ON cups (league_id, season);
COMMIT;
