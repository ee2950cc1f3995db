import { wordSet } from "../mail/words/word-table.ts";

/**
 * Common given names as texts write them, from general knowledge. Omits names that are also words, months, cities or
 * states (Art, April, Brent, Charlotte, Dean, Grace, Grant, Hope, Virginia, Will): they begin the names of other
 * things.
 */
export const GIVEN_NAMES = wordSet(
  // English, and short forms
  "Aaron Abby Abigail Adam Adrian Agnes Al Alan Albert Alec Alex Alexander Alexandra Alexis Alfred Alice Alicia Alison Allan " +
    "Allen Allison Alvin Amanda Amelia Amy Andrea Andrew Andy Angela Angie Anita Ann Anna Anne Annette Annie Anthony Arlene " +
    "Arnold Arthur Ashley Audrey Barbara Barry Becky Ben Benjamin Bernard Bernice Bernie Bert Bertha Beth Betsy Betty Beverly " +
    "Bill Billy Bob Bobby Bonnie Brad Bradley Brandon Brenda Brendan Brett Brian Bridget Brittany Bruce Bryan Byron " +
    "Caitlin Calvin Cameron Carl Carla Carmen Carol Caroline Carolyn Carrie Casey Catherine Cathy Cecil Cecilia Charlene " +
    "Charles Charlie Chelsea Cheryl Chris Christina Christine Christopher Chuck Cindy Claire Clara Clarence Claudia Clifford " +
    "Clint Clyde Colin Colleen Connie Constance Corey Courtney Craig Curt Curtis Cynthia Daisy Dale Dan Daniel Danielle Danny " +
    "Darlene Darrell Darren Darryl Dave David Deborah Debbie Debra Denise Dennis Derek Diana Diane Dick Don Donald Donna Doreen " +
    "Doris Dorothy Doug Douglas Duane Dwight Earl Ed Eddie Edgar Edith Edmund Edna Edward Edwin Eileen Elaine Eleanor " +
    "Elizabeth Ella Ellen Elliot Emily Emma Eric Erica Erik Erin Ernest Esther Ethan Ethel Eugene Eva Evan Evelyn Floyd Frances " +
    "Francis Frank Franklin Fred Freddie Frederick Gail Gary Gene Geoff Geoffrey George Gerald Gerry Gilbert Gina Glen Glenda " +
    "Glenn Gloria Gordon Greg Gregg Gregory Guy Gwen Hannah Harold Harriet Harry Harvey Hazel Heather Heidi Helen Henry Herb " +
    "Herbert Herman Holly Howard Hugh Ian Irene Isaac Isabel Ivan Jack Jackie Jacob Jacqueline Jake James Jamie Jan Jane Janet " +
    "Janice Jason Jay Jean Jeanne Jeff Jeffery Jeffrey Jen Jennifer Jenny Jeremy Jerome Jerry Jesse Jessica Jill Jim Jimmy " +
    "Joan Joann Joanna Joanne Jody Joe Joel Johanna John Johnny Jon Jonathan Joseph Josephine Josh Joshua Joyce Judith Judy " +
    "Julia Julian Julie Justin Karen Karl Kate Katherine Kathleen Kathryn Kathy Katie Katrina Kay Keith Kelly Ken Kenneth Kenny " +
    "Kerry Kevin Kim Kimberly Kirk Kristen Kristin Kristina Kurt Kyle Lance Larry Laura Lauren Laurie Lawrence Leah Lee Leo Leon " +
    "Leonard Leroy Leslie Lester Lewis Lillian Linda Lindsay Lindsey Lisa Liz Lloyd Lois Loretta Lori Lorraine Lou Louis Louise " +
    "Lucas Lucille Lucy Luke Lynn Lynne Maggie Malcolm Marc Marcia Marcus Margaret Margie Maria Marian Marie Marilyn Mario " +
    "Marion Marjorie Mark Marlene Marsha Marshall Martha Martin Marty Marvin Mary Matt Matthew Maureen Maurice Megan Melanie " +
    "Melinda Melissa Melvin Michael Michele Michelle Mickey Mike Mildred Milton Mindy Miranda Mitch Mitchell Molly Monica " +
    "Morris Murray Nancy Natalie Natasha Nathan Nathaniel Neil Nicholas Nick Nicole Nina Noel Nora Norm Norma Norman Olivia " +
    "Oscar Otis Owen Pam Pamela Patricia Patrick Patsy Patti Patty Paul Paula Pauline Peggy Pete Peter Phil Philip Phillip " +
    "Phyllis Rachel Ralph Randall Randy Ray Raymond Rebecca Regina Rex Rhonda Richard Rick Ricky Rita Rob Robert Roberta Robin " +
    "Rodney Roger Roland Ron Ronald Ronnie Rosemary Ross Roy Russ Russell Ruth Ryan Sally Sam Samantha Samuel Sandra Sara Sarah " +
    "Scott Sean Seth Shannon Sharon Shawn Sheila Sherry Shirley Sidney Simon Sonia Sonya Stacey Stacy Stan Stanley Stella " +
    "Stephanie Stephen Steve Steven Stewart Stu Stuart Sue Susan Suzanne Sylvia Tamara Tammy Tanya Tara Ted Teresa Teri Terrence " +
    "Terri Terry Thelma Theodore Theresa Thomas Tiffany Tim Timothy Tina Todd Tom Tommy Toni Tony Tracey Tracy Travis Trevor " +
    "Trudy Tyler Ursula Valerie Vanessa Vera Vernon Vicki Vicky Victor Vince Vincent Vivian Wade Wallace Walter Wanda Warren " +
    "Wayne Wendy Wes Wesley William Willie Wilma Yolanda Yvonne Zachary " +
    "Adriana Aimee Alisa Alisha Allyson Amber Ana Andre Archie Arnaud Bart Belinda Blanca Bobbie Bryce Camille " +
    "Candace Carole Cary Cedric Chad Christi Christie Christy Clare Cliff Cory Cristina Damon Dana Darin Darrin " +
    "Daryl Deanna Deb Denis Denny Derrick Dexter Dianne Dominic Donovan Dora Drew Dustin Dwayne Elena Erika Felicia " +
    "Fiona Fran Francine Gavin Gayle Gil Graham Gretchen Gus Gwendolyn Hal Hank Hilary Hilda Hillary Holli Irma " +
    "Jaime Jana Janelle Janie Janine Jeanette Jeanie Jessie Jo Jodi Joey Johnnie Joni Jose Juanita Kara Kari Kathie " +
    "Katy Kelley Kelli Kent Kimberley Kirsten Kris Kristi Lana Lara Leigh Leticia Lorna Lorie Lydia Lynda Lynette " +
    "Marianne Marissa Marla Mel Meredith Mick Monique Myra Naomi Nate Neal Ned Nicola Nigel Nikki Oliver Pat " +
    "Patrice Paulette Rachael Ramona Raquel Reggie Reginald Rene Renee Robyn Rod Rosie Rudy Rupert Shari Shawna " +
    "Shelley Shelly Sheri Sherri Sheryl Sid Silvia Simone Stacie Tabitha Tamika Tasha Terrie Toby Traci Tracie " +
    "Trent Trey Tricia Troy Tyrone Vance Veronica Vickie Winston Yvette " +
    // Romance, German, Scandinavian, Slavic
    "Alberto Alejandro Alessandro Alfonso Alfredo Andreas Angelo Antoine Antonio Armando Arturo Bernd Bjorn Carlo Carlos Cesar " +
    "Claude Dieter Dmitry Eduardo Emilio Enrique Ernesto Federico Felipe Fernando Francesco Francisco Franz Friedrich Fritz " +
    "Gabriel Gerhard Giovanni Giuseppe Guillermo Guido Gustavo Hans Hector Heinrich Heinz Helmut Henri Horst Igor Ingrid Jacques " +
    "Javier Joachim Johan Johann Johannes Jorge Juan Jurgen Jürgen Karin Karsten Klaus Lars Lorenzo Luca Lucia Luigi Luis Magnus " +
    "Manfred Manuel Marco Marcos Martina Matthias Mauricio Miguel Monika Nicolas Nikolai Olaf Olga Otto Pablo Paolo Pascal Pedro " +
    "Philippe Pierre Rafael Ramon Raul Renate Ricardo Roberto Rodrigo Rolf Salvador Sergei Sergey Sergio Sofia Stefan Stefano " +
    "Susanne Sven Svetlana Tatiana Thierry Ulrich Uwe Vladimir Wolfgang Yuri Yves " +
    "Achim Agnieszka Alain Alejandra Alexei Alexey Anders Andrei Andrés Andres Anja Anke Beatriz Bengt Bernhard " +
    "Birgit Boris Bruno Christoph Christophe Claudio Davide Didier Diego Dirk Dmitri Esteban Fabio Fabrice " +
    "Francesca Fredrik Florian François Françoise Gilles Giorgio Giulia Göran Gonzalo Guillaume Günter Gunter Heike " +
    "Henk Henrik Holger Irina Isabelle Ivana Jens Jeroen Jesper Jiri João Joao Joaquín Joaquin Jochen Joost Jörg " +
    "Jorg José Jutta Katarzyna Katja Kerstin Kjell Krzysztof Laurent Maarten Mads Marek Markus Marta Massimo Matteo " +
    "Mikael Mikhail Natalia Nathalie Niels Oleg Olivier Pavel Petra Pieter Piotr Ralf Riccardo Sabine Sandrine " +
    "Sébastien Sebastian Silke Søren Stephan Stéphane Sylvie Thorsten Tiago Tobias Tomasz Torsten Volker Werner " +
    "Willem Xavier " +
    // Asian and Arabic
    "Abdul Abdullah Ahmed Ajay Ali Amit Anand Anil Arun Ashok Deepak Fatima Hassan Hiroshi Hussein Ibrahim Kenji Krishna Mahmoud " +
    "Mohamed Mohammad Mohammed Muhammad Mustafa Omar Pradeep Prakash Priya Rahul Rajesh Rakesh Ramesh Ravi Sandeep Sanjay Sanjeev " +
    "Sunil Suresh Sunita Takashi Usha Vijay Vikram Vinod Vivek Yusuf " +
    "Akira Anjali Arvind Dinesh Girish Harish Hiroyuki Karim Karthik Kazuo Khalid Mahesh Manish Masahiro Mukesh Naoki Naresh Nitin Pankaj Puneet Raj Rajiv Rohit Sachin Samir Satish Satoshi Shankar Srinivas Takeshi Tariq Venkat Yoshihiro",
);

/** True for a common given name that is hardly ever another word. */
export function isCommonGivenName(word: string): boolean {
  return GIVEN_NAMES.has(word);
}
