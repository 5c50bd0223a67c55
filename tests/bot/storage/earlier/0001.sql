BEGIN TRANSACTION;
CREATE TABLE actions (
	match_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	line TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	CONSTRAINT pk_actions PRIMARY KEY (match_id, number), 
	CONSTRAINT fk_actions_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "actions" VALUES(1,1,'* rolloff S4 M3 C0 A3',1800000000.0);
INSERT INTO "actions" VALUES(1,2,'O first move',1800000000.0);
INSERT INTO "actions" VALUES(1,3,'D place A1 i2',1800000000.0);
INSERT INTO "actions" VALUES(1,4,'O place S2 c9',1800000000.0);
INSERT INTO "actions" VALUES(1,5,'D place A3 g11',1800000000.0);
INSERT INTO "actions" VALUES(1,6,'O place S5 c14',1800000000.0);
INSERT INTO "actions" VALUES(1,7,'D place C5 c15',1800000000.0);
INSERT INTO "actions" VALUES(1,8,'O place S1 e16',1800000000.0);
INSERT INTO "actions" VALUES(1,9,'D place C1 f4',1800000000.0);
INSERT INTO "actions" VALUES(1,10,'O place S0 h14',1800000000.0);
INSERT INTO "actions" VALUES(1,11,'D place C0 e6',1800000000.0);
INSERT INTO "actions" VALUES(1,12,'O place M3 g5',1800000000.0);
INSERT INTO "actions" VALUES(1,13,'D place A0 d14',1800000000.0);
INSERT INTO "actions" VALUES(1,14,'O place S3 g13',1800000000.0);
INSERT INTO "actions" VALUES(1,15,'D place C3 g9',1800000000.0);
INSERT INTO "actions" VALUES(1,16,'O place M2 f10',1800000000.0);
INSERT INTO "actions" VALUES(1,17,'D place A4 i12',1800000000.0);
INSERT INTO "actions" VALUES(1,18,'O place M1 c10',1800000000.0);
INSERT INTO "actions" VALUES(1,19,'D place C4 b18',1800000000.0);
INSERT INTO "actions" VALUES(1,20,'O place M0 c6',1800000000.0);
INSERT INTO "actions" VALUES(1,21,'D place C2 a8',1800000000.0);
INSERT INTO "actions" VALUES(1,22,'O place S4 c18',1800000000.0);
INSERT INTO "actions" VALUES(1,23,'D place A2 h13',1800000000.0);
INSERT INTO "actions" VALUES(1,24,'O place M4 f3',1800000000.0);
INSERT INTO "actions" VALUES(1,25,'D place A5 f9',1800000000.0);
INSERT INTO "actions" VALUES(1,26,'O place M5 d10',1800000000.0);
INSERT INTO "actions" VALUES(1,27,'* roll S2 M3',1800000000.0);
INSERT INTO "actions" VALUES(1,28,'O move S W',1800000000.0);
INSERT INTO "actions" VALUES(1,29,'O move M W',1800000000.0);
INSERT INTO "actions" VALUES(1,30,'* roll C5 A4',1800000000.0);
INSERT INTO "actions" VALUES(1,31,'D move A SE',1800000000.0);
INSERT INTO "actions" VALUES(1,32,'* roll S5 M5',1800000000.0);
INSERT INTO "actions" VALUES(1,33,'O move S NW',1800000000.0);
INSERT INTO "actions" VALUES(1,34,'O move M NW',1800000000.0);
INSERT INTO "actions" VALUES(1,35,'* roll C5 A3',1800000000.0);
INSERT INTO "actions" VALUES(1,36,'D move A E',1800000000.0);
INSERT INTO "actions" VALUES(1,37,'* roll S- M4',1800000000.0);
INSERT INTO "actions" VALUES(1,38,'O move M SE',1800000000.0);
INSERT INTO "actions" VALUES(1,39,'* roll C1 A-',1800000000.0);
INSERT INTO "actions" VALUES(1,40,'D move C NE',1800000000.0);
INSERT INTO "actions" VALUES(1,41,'* roll S2 M2',1800000000.0);
INSERT INTO "actions" VALUES(1,42,'O move M NE',1800000000.0);
INSERT INTO "actions" VALUES(1,43,'O move S NW',1800000000.0);
INSERT INTO "actions" VALUES(1,44,'* roll C2 A3',1800000000.0);
INSERT INTO "actions" VALUES(1,45,'D move C W',1800000000.0);
INSERT INTO "actions" VALUES(1,46,'D move A S',1800000000.0);
INSERT INTO "actions" VALUES(1,47,'* roll S4 M0',1800000000.0);
INSERT INTO "actions" VALUES(1,48,'O move S NE',1800000000.0);
INSERT INTO "actions" VALUES(1,49,'* roll C- A3',1800000000.0);
INSERT INTO "actions" VALUES(1,50,'D move A NW',1800000000.0);
INSERT INTO "actions" VALUES(1,51,'* roll S3 M5',1800000000.0);
INSERT INTO "actions" VALUES(1,52,'O move S W',1800000000.0);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE facts (
	name VARCHAR(64) NOT NULL, 
	value TEXT NOT NULL, 
	CONSTRAINT pk_facts PRIMARY KEY (name)
);
CREATE TABLE interactions (
	id BIGINT NOT NULL, 
	result JSON NOT NULL, 
	at FLOAT NOT NULL, 
	CONSTRAINT pk_interactions PRIMARY KEY (id)
);
INSERT INTO "interactions" VALUES(1000,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1001,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1002,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1003,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1004,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1005,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1006,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1007,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1008,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1009,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1010,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1011,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1012,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1013,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1014,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1015,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1016,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1017,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1018,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1019,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1020,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1021,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1022,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1023,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1024,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1025,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1026,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1027,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1028,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1029,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1030,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1031,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1032,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1033,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1034,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1035,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1036,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1037,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1038,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1039,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1040,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1041,'{"kind": "done", "match_id": 1, "rule": "", "sentence": ""}',1800000000.0);
INSERT INTO "interactions" VALUES(1042,'{"kind": "done", "match_id": 2, "rule": "", "sentence": ""}',1800000000.0);
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
	rolled INTEGER NOT NULL, 
	seed BLOB NOT NULL, 
	salt TEXT NOT NULL, 
	challenger_id BIGINT NOT NULL, 
	guild_id BIGINT, 
	channel_id BIGINT NOT NULL, 
	created FLOAT NOT NULL, 
	expires FLOAT, 
	changed FLOAT NOT NULL, 
	CONSTRAINT pk_matches PRIMARY KEY (id)
);
INSERT INTO "matches" VALUES(1,'wormholes',1,'0.6-long','{}','running',41,'0.6-long;0;act;0;11;d10,h5,d14,e14;......T..k...N......J.g.M.........o.....C..XP.Hl.I....V.......W.....DUFs...aR.....B......qE.;0;54c41;3,5;1;1;0;0;-1;-1;moved:S:g10:d10 turned:M:5:d10:S:value stuck:S;0;;','{"O": 41}',12,X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F','1000,1001',11,7,5,1800000000.0,NULL,1800000000.0);
INSERT INTO "matches" VALUES(2,'wormholes',1,'0.6-long','{}','challenge',0,NULL,'{}',0,X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F','1042',11,7,5,1800000000.0,1800086400.0,1800000000.0);
CREATE TABLE outbox (
	id INTEGER NOT NULL, 
	match_id INTEGER NOT NULL, 
	target VARCHAR(64) NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	what JSON NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	attempts INTEGER NOT NULL, 
	due FLOAT NOT NULL, 
	lease FLOAT, 
	tried FLOAT, 
	error TEXT, 
	CONSTRAINT pk_outbox PRIMARY KEY (id), 
	CONSTRAINT fk_outbox_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "outbox" VALUES(1,1,'channel','challenge','{}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(2,1,'channel','answered','{}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(3,1,'channel','turn','{"lines": 1, "version": 1}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(4,1,'user:22','hand','{}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(5,1,'user:11','hand','{}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(6,1,'channel','turn','{"lines": 2, "version": 2}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(7,1,'channel','turn','{"lines": 3, "version": 3}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(8,1,'channel','turn','{"lines": 4, "version": 4}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(9,1,'channel','turn','{"lines": 5, "version": 5}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(10,1,'channel','turn','{"lines": 6, "version": 6}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(11,1,'channel','turn','{"lines": 7, "version": 7}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(12,1,'channel','turn','{"lines": 8, "version": 8}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(13,1,'channel','turn','{"lines": 9, "version": 9}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(14,1,'channel','turn','{"lines": 10, "version": 10}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(15,1,'channel','turn','{"lines": 11, "version": 11}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(16,1,'channel','turn','{"lines": 12, "version": 12}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(17,1,'channel','turn','{"lines": 13, "version": 13}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(18,1,'channel','turn','{"lines": 14, "version": 14}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(19,1,'channel','turn','{"lines": 15, "version": 15}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(20,1,'channel','turn','{"lines": 16, "version": 16}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(21,1,'channel','turn','{"lines": 17, "version": 17}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(22,1,'channel','turn','{"lines": 18, "version": 18}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(23,1,'channel','turn','{"lines": 19, "version": 19}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(24,1,'channel','turn','{"lines": 20, "version": 20}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(25,1,'channel','turn','{"lines": 21, "version": 21}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(26,1,'channel','turn','{"lines": 22, "version": 22}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(27,1,'channel','turn','{"lines": 23, "version": 23}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(28,1,'channel','turn','{"lines": 24, "version": 24}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(29,1,'channel','turn','{"lines": 25, "version": 25}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(30,1,'channel','turn','{"lines": 27, "version": 26}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(31,1,'channel','refresh','{"lines": 28, "version": 27}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(32,1,'channel','turn','{"lines": 30, "version": 28}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(33,1,'channel','turn','{"lines": 32, "version": 29}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(34,1,'channel','refresh','{"lines": 33, "version": 30}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(35,1,'channel','turn','{"lines": 35, "version": 31}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(36,1,'channel','turn','{"lines": 37, "version": 32}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(37,1,'channel','turn','{"lines": 39, "version": 33}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(38,1,'channel','turn','{"lines": 41, "version": 34}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(39,1,'channel','refresh','{"lines": 42, "version": 35}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(40,1,'channel','turn','{"lines": 44, "version": 36}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(41,1,'channel','refresh','{"lines": 45, "version": 37}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(42,1,'channel','turn','{"lines": 47, "version": 38}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(43,1,'channel','turn','{"lines": 49, "version": 39}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(44,1,'channel','turn','{"lines": 51, "version": 40}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(45,1,'channel','refresh','{"lines": 52, "version": 41}','waiting',0,1800000000.0,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES(46,2,'channel','challenge','{}','waiting',0,1800000000.0,NULL,NULL,NULL);
CREATE TABLE players (
	user_id BIGINT NOT NULL, 
	preferences JSON NOT NULL, 
	CONSTRAINT pk_players PRIMARY KEY (user_id)
);
CREATE TABLE seats (
	match_id INTEGER NOT NULL, 
	seat VARCHAR(1) NOT NULL, 
	user_id BIGINT NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	joined FLOAT, 
	CONSTRAINT pk_seats PRIMARY KEY (match_id, seat), 
	CONSTRAINT fk_seats_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "seats" VALUES(1,'O',11,'Ada',1800000000.0);
INSERT INTO "seats" VALUES(1,'D',22,'Bo',1800000000.0);
INSERT INTO "seats" VALUES(2,'O',11,'Ada',1800000000.0);
INSERT INTO "seats" VALUES(2,'D',22,'Bo',NULL);
CREATE TABLE surfaces (
	id INTEGER NOT NULL, 
	match_id INTEGER NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	channel_id BIGINT NOT NULL, 
	message_id BIGINT, 
	shown INTEGER NOT NULL, 
	CONSTRAINT pk_surfaces PRIMARY KEY (id), 
	CONSTRAINT fk_surfaces_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE, 
	CONSTRAINT uq_surfaces_match_id_kind UNIQUE (match_id, kind)
);
CREATE TABLE timers (
	id INTEGER NOT NULL, 
	match_id INTEGER NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	version INTEGER NOT NULL, 
	due FLOAT NOT NULL, 
	CONSTRAINT pk_timers PRIMARY KEY (id), 
	CONSTRAINT fk_timers_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "timers" VALUES(1,1,'expire',0,1800086400.0);
INSERT INTO "timers" VALUES(2,2,'expire',0,1800086400.0);
CREATE INDEX ix_matches_status ON matches (status);
CREATE INDEX ix_outbox_state_due ON outbox (state, due);
CREATE INDEX ix_seats_user_id ON seats (user_id);
CREATE INDEX ix_timers_due ON timers (due);
COMMIT;
